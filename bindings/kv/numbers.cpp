#include "bindings/kv/numbers.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>

namespace far::kv {
namespace {

constexpr std::size_t plain_digits = 18;  // of which any number fits

/// Reads what nearly all numbers are: a few digits and nothing else.
bool read_plain(std::string_view token, std::uint64_t& number) {
  if (token.empty() || token.size() > plain_digits) return false;
  std::uint64_t sum = 0;
  for (const char c : token) {
    if (c < '0' || c > '9') return false;
    sum = sum * 10 + static_cast<std::uint64_t>(c - '0');
  }
  number = sum;
  return true;
}

bool ends_number(char c) { return c == '\0' || c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads the token by a function of the C library. It stops at a zero byte, as a token does.
template <class Number, class Convert>
bool read_with(std::string_view token, Number& number, Convert convert) {
  const std::string text(token);
  char* end = nullptr;
  errno = 0;
  number = convert(text.c_str(), &end);
  return errno != ERANGE && end != text.c_str() && ends_number(*end);
}

bool read_unsigned(std::string_view token, std::uint64_t& number) {
  if (read_plain(token, number)) return true;
  const auto convert = [](const char* text, char** end) { return std::strtoull(text, end, 10); };
  unsigned long long wide = 0;
  number = 0;
  if (!read_with(token, wide, convert)) return false;
  // -1 is read as the largest number; -18446744073709551615 is read as 1, and stands.
  const bool looks_negative = static_cast<long long>(wide) < 0;
  if (looks_negative && token.find('-') != std::string_view::npos) return false;
  number = wide;
  return true;
}

}  // namespace

bool read_number(std::string_view token, std::uint64_t& number) {
  return read_unsigned(token, number);
}

bool read_number(std::string_view token, std::uint32_t& number) {
  std::uint64_t wide = 0;
  const bool good = read_unsigned(token, wide);
  number = static_cast<std::uint32_t>(wide);
  return good;
}

bool read_number(std::string_view token, std::int32_t& number) {
  std::uint64_t plain = 0;
  if (read_plain(token, plain)) {
    number = static_cast<std::int32_t>(static_cast<std::uint32_t>(plain));
    return true;
  }
  const auto convert = [](const char* text, char** end) { return std::strtoll(text, end, 10); };
  long long wide = 0;
  const bool good = read_with(token, wide, convert);
  number = good ? static_cast<std::int32_t>(static_cast<std::uint32_t>(wide)) : 0;
  return good;
}

bool read_number(std::string_view token, double& number) {
  const auto convert = [](const char* text, char** end) { return std::strtod(text, end); };
  if (read_with(token, number, convert)) return true;
  number = 0;
  return false;
}

}  // namespace far::kv
