#pragma once
// What the first bytes of a file say about the rest: how it is packed, and where its text begins.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace far::apps {

/// Bytes of the head of a file that the functions below look at; fewer only where the file ends.
inline constexpr std::size_t file_head_bytes = 512;

/// The first bytes of an xz file.
inline constexpr std::string_view xz_magic("\xfd\x37zXZ\0", 6);

enum class packing : std::uint8_t { plain, gzip, xz };

/// How the file that starts with `head` is packed.
/// Errors: input_error that says what to do for kinds that are known but not read: other packings
/// (zip, zstd, ...), archives (tar), and text in UTF-16.
[[nodiscard]] packing detect_packing(std::string_view head, const std::string& path);

/// Bytes of the UTF-8 byte order mark that `head` starts with: 3, or 0 without one. Editors and
/// spreadsheets write it; it is no part of the text.
[[nodiscard]] std::size_t byte_order_mark_bytes(std::string_view head);

}  // namespace far::apps
