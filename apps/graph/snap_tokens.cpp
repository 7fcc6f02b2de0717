#include "apps/graph/snap_tokens.hpp"

namespace far::apps {

void token_cursor::fail_number(const char* what) const {
  if (at_line_end()) fail(fmt::format("expected {}, found the end of the line; complete it", what));
  const char* hint = "correct or remove the line";
  if (*at_ == '\0') hint = "is this a text file?";
  if (*at_ == ',' || *at_ == ';') hint = "separate numbers by blanks or tabs";
  if (*at_ == '\r') hint = "end lines with a newline";
  fail(fmt::format("expected {}, found {}; {}", what, quoted_byte(*at_), hint));
}

void token_cursor::fail_nan(const char* what) const {
  fail(fmt::format("expected {}, found NaN, which is no number; correct or remove the line", what));
}

void token_cursor::fail_range(const char* what) const {
  fail(fmt::format("expected {}, found a number outside the range of a double; scale the weights",
                   what));
}

void token_cursor::fail_negative(const char* what) const {
  fail(
      fmt::format("expected {}, found a negative number; weights are at least 0 here, so correct "
                  "the line",
                  what));
}

// The caller has found digits; leading zeros may make a small number long.
std::int64_t token_cursor::take_long_id(const char* begin) {
  std::int64_t value = 0;
  if (std::from_chars(begin, at_, value).ec != std::errc()) {
    at_ = begin;
    fail("number outside the range of signed 64-bit integers; renumber the vertices");
  }
  return value;
}

}  // namespace far::apps
