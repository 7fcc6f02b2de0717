#include "bindings/kv/numbers.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "bindings/kv/base64.hpp"

namespace {

using far::kv::decode_base64;
using far::kv::encode_base64;
using far::kv::read_number;

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 7;
  if (!read_number(text, number)) {
    EXPECT_EQ(number, Number{0}) << text;
    return std::nullopt;
  }
  return number;
}

TEST(kv_numbers, of_64_bits) {
  using number = std::uint64_t;
  EXPECT_EQ(number_of<number>("0"), 0U);
  EXPECT_EQ(number_of<number>("18446744073709551615"), ~number{0});
  EXPECT_EQ(number_of<number>("000000000000000000000000000005"), 5U);
  EXPECT_EQ(number_of<number>("+3"), 3U);
  EXPECT_EQ(number_of<number>("\t2"), 2U);
  EXPECT_EQ(number_of<number>("3\tx"), 3U);
  EXPECT_EQ(number_of<number>("-18446744073709551615"), 1U);
  for (const char* const bad :
       {"", "-1", "18446744073709551616", "x", "1x", "0x1", "1.5", "+", "- 1"}) {
    EXPECT_EQ(number_of<number>(bad), std::nullopt) << bad;
  }
}

TEST(kv_numbers, of_32_bits_wrap_around) {
  EXPECT_EQ(number_of<std::uint32_t>("4294967297"), 1U);
  EXPECT_EQ(number_of<std::uint32_t>("-1"), std::nullopt);
  EXPECT_EQ(number_of<std::int32_t>("-1"), -1);
  EXPECT_EQ(number_of<std::int32_t>("4294967297"), 1);
  EXPECT_EQ(number_of<std::int32_t>("4294967295"), -1);
  EXPECT_EQ(number_of<std::int32_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(number_of<double>("1.5"), 1.5);
  EXPECT_EQ(number_of<double>("1,5"), std::nullopt);
}

std::string encoded(std::string_view bytes) {
  std::string text(400, '\0');
  text.resize(encode_base64(bytes, text.data()));
  return text;
}

std::string decoded(std::string_view text) {
  std::string bytes(text.size() + 1, '\0');
  bytes.resize(decode_base64(text, bytes.data()));
  return bytes;
}

TEST(kv_base64, encodes_and_decodes) {
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  std::string bytes;
  for (int i = 0; i < 250; ++i) {
    EXPECT_EQ(decoded(encoded(bytes)), bytes) << i;
    bytes += static_cast<char>(i * 37);
  }
}

TEST(kv_base64, refuses_what_is_none) {
  for (const char* const bad : {"", "Z", "Zg", "Zg=", "Z===", "!!!!"}) {
    EXPECT_EQ(decoded(bad), "") << bad;
  }
  EXPECT_EQ(decoded("Zm 9v"), "foo");   // what is no digit is skipped
  EXPECT_EQ(decoded("Zg==Zm9v"), "f");  // and what follows padding
}

}  // namespace
