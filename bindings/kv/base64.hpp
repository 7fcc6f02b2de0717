#pragma once
// Keys of any bytes in base64 (RFC 4648), as the meta commands' flag b has them.

#include <cstddef>
#include <string_view>

namespace far::kv {

/// The length of `bytes` bytes in base64.
[[nodiscard]] constexpr std::size_t base64_bytes(std::size_t bytes) noexcept {
  return (bytes + 2) / 3 * 4;
}

/// Writes base64_bytes(bytes.size()) characters, and returns their number.
std::size_t encode_base64(std::string_view bytes, char* to) noexcept;

/// Writes at most text.size() bytes, and returns their number; 0 if the text is not base64. What
/// is no digit is skipped, and what follows padding is ignored, as memcached does.
[[nodiscard]] std::size_t decode_base64(std::string_view text, char* to) noexcept;

}  // namespace far::kv
