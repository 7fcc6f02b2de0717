#pragma once
// The tokens of graph files, for parsers of text that ends with a newline: loops stop at the
// newline, so they need not compare with the end of the text.

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/common/input_error.hpp"
#include "apps/graph/reader_types.hpp"

namespace far::apps {

/// A position in the text. Functions advance it, or throw text_error.
class token_cursor {
 public:
  explicit token_cursor(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] char peek() const { return *at_; }
  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  void step() { ++at_; }

  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\t') ++at_;
  }

  /// True at a newline, or at a carriage return before one.
  [[nodiscard]] bool at_line_end() const {
    return *at_ == '\n' || (*at_ == '\r' && at_[1] == '\n');
  }

  void skip_line_end() { at_ += *at_ == '\r' ? 2 : 1; }

  /// Returns the rest of the line without its line end, and skips both.
  std::string_view take_line() {
    const char* const begin = at_;
    at_ = static_cast<const char*>(std::char_traits<char>::find(at_, remaining(), '\n')) + 1;
    std::string_view line(begin, static_cast<std::size_t>(at_ - 1 - begin));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  /// Parses a signed 64-bit integer; a blank or the line end must follow it.
  std::int64_t take_id(const char* what) {
    const char* const begin = at_;
    const bool negative = *at_ == '-';
    const char* const digits = at_ += negative;
    std::uint64_t value = 0;
    for (unsigned digit = 0; (digit = digit_of(*at_)) <= 9; ++at_) value = value * 10 + digit;
    if (at_ == digits || !after_token()) fail_number(what);
    constexpr std::ptrdiff_t always_fit = 18;
    if (at_ - digits > always_fit) return take_long_id(begin);
    const auto magnitude = static_cast<std::int64_t>(value);
    return negative ? -magnitude : magnitude;
  }

  /// Checks and skips a number of any kind, which may have a leading +, but no NaN.
  void skip_number(const char* what) {
    double value = 0;
    // A number that is too large or too small for a double is valid.
    (void)take_double(what, value);
  }

  /// Parses a weight: a number as skip_number takes, which fits a double.
  double take_weight(const char* what, weight_sign allowed) {
    const char* const begin = at_;
    double value = 0;
    const bool fits = take_double(what, value);
    if (fits && (value >= 0 || allowed == weight_sign::any)) return value;
    at_ = begin;
    fits ? fail_negative(what) : fail_range(what);
  }

  [[noreturn]] void fail(const std::string& what) const { throw text_error(offset(), what); }

  /// Throws: `what` was expected at the current position.
  [[noreturn]] void fail_number(const char* what) const;

 private:
  // Returns false, with the number skipped, if it does not fit a double.
  bool take_double(const char* what, double& value) {
    const char* const start = at_;
    const char* const begin = at_ + (*at_ == '+' && at_[1] != '-');
    const auto [end, error] = std::from_chars(begin, end_, value);
    if (error == std::errc::invalid_argument) fail_number(what);
    at_ = end;
    if (!after_token()) fail_number(what);
    if (std::isnan(value)) {
      at_ = start;
      fail_nan(what);
    }
    return error == std::errc() && !std::isinf(value);
  }
  [[noreturn]] void fail_nan(const char* what) const;
  [[noreturn]] void fail_range(const char* what) const;
  [[noreturn]] void fail_negative(const char* what) const;

  static unsigned digit_of(char c) { return static_cast<unsigned char>(c) - unsigned{'0'}; }
  [[nodiscard]] bool after_token() const { return *at_ == ' ' || *at_ == '\t' || at_line_end(); }
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  std::int64_t take_long_id(const char* begin);

  const char* begin_;
  const char* at_;
  const char* end_;
};

/// Skips blanks, and parses a number of things in a header.
inline std::uint64_t take_count(token_cursor& cursor, const char* what) {
  cursor.skip_blanks();
  const std::size_t begin = cursor.offset();
  const std::int64_t count = cursor.take_id(what);
  constexpr std::int64_t max = std::int64_t{1} << 61;  // so that twice as many fit 64 bits
  if (count < 0 || count > max) {
    throw text_error(begin, fmt::format("{} for {}; write the graph's own", count, what));
  }
  return static_cast<std::uint64_t>(count);
}

/// Skips blanks, and parses a vertex in the header's range, which begins at 1.
inline std::int64_t take_vertex(token_cursor& cursor, const char* what,
                                const graph_header& header) {
  cursor.skip_blanks();
  const std::size_t begin = cursor.offset();
  const std::int64_t id = cursor.take_id(what);
  if (id < 1 || static_cast<std::uint64_t>(id) > header.vertices) {
    throw text_error(begin, fmt::format("vertex {} outside 1..{}, which the header promises; "
                                        "correct the entry or the header",
                                        id, header.vertices));
  }
  return id;
}

}  // namespace far::apps
