#pragma once

#include <string_view>

#include "bindings/kv/output.hpp"

namespace far::kv {

/// Appends a key as lists and logs show it: bytes other than letters, digits and -._~ as %XX.
inline void write_uri(std::string_view key, output& out) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : key) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    if (is_plain) {
      out << c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out << '%' << digits[byte >> 4] << digits[byte & 15];
    }
  }
}

}  // namespace far::kv
