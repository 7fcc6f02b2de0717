#pragma once
// Escapes bytes from files for a terminal: file names, words and stray bytes may hold anything.

#include <cstddef>
#include <string>
#include <string_view>

namespace far::apps {

/// `bytes` with control characters and malformed UTF-8 as \xNN, so that file contents can neither
/// control the terminal nor break a line.
[[nodiscard]] std::string printable(std::string_view bytes);

/// The same, cut to about `columns` with "..." at the cut.
[[nodiscard]] std::string printable(std::string_view bytes, std::size_t columns);

/// Columns that printable text takes, one per code point.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// One byte for an error message: 'x', or `byte 0x00` if it is not a visible ASCII character.
[[nodiscard]] std::string quoted_byte(char byte);

}  // namespace far::apps
