#pragma once
// What the first bytes of a file show: how it is packed, and where its text begins.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace far::apps {

/// Size of the head that the functions below examine, in bytes; the head of a shorter file is the
/// whole file.
inline constexpr std::size_t file_head_bytes = 512;

/// The first bytes of an xz file.
inline constexpr std::string_view xz_magic("\xfd\x37zXZ\0", 6);

enum class packing : std::uint8_t { plain, gzip, xz };

/// Returns how the file that starts with `head` is packed.
/// Errors: input_error that says what to do, for known but unsupported formats: other packings
/// (zip, zstd, ...), archives (tar), and text in UTF-16.
[[nodiscard]] packing detect_packing(std::string_view head, const std::string& path);

/// Size of the UTF-8 byte order mark at the start of `head`: 3, or 0 if there is none. Editors and
/// spreadsheets write it; it is not part of the text.
[[nodiscard]] std::size_t byte_order_mark_bytes(std::string_view head);

}  // namespace far::apps
