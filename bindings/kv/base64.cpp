#include "bindings/kv/base64.hpp"

#include <array>
#include <cstdint>

namespace far::kv {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xff;

constexpr auto values = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    table[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  table['='] = 0;  // padding
  return table;
}();

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
}

}  // namespace

std::size_t encode_base64(std::string_view bytes, char* to) noexcept {
  char* at = to;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group =
        byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    *at++ = digits[group >> 18];
    *at++ = digits[group >> 12 & 63];
    *at++ = i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
    *at++ = i + 2 < bytes.size() ? digits[group & 63] : '=';
  }
  return static_cast<std::size_t>(at - to);
}

std::size_t decode_base64(std::string_view text, char* to) noexcept {
  std::size_t count = 0;
  for (const char c : text) count += values[static_cast<unsigned char>(c)] != no_digit ? 1U : 0U;
  if (count == 0 || count % 4 != 0) return 0;

  char* at = to;
  std::uint32_t group = 0;
  int filled = 0;
  int padding = 0;
  for (const char c : text) {
    const std::uint8_t value = values[static_cast<unsigned char>(c)];
    if (value == no_digit) continue;
    if (c == '=') ++padding;
    group = group << 6 | value;
    if (++filled < 4) continue;
    *at++ = static_cast<char>(group >> 16);
    *at++ = static_cast<char>(group >> 8);
    *at++ = static_cast<char>(group);
    if (padding > 2) return 0;
    if (padding > 0) return static_cast<std::size_t>(at - to) - static_cast<std::size_t>(padding);
    group = 0;
    filled = 0;
  }
  return static_cast<std::size_t>(at - to);
}

}  // namespace far::kv
