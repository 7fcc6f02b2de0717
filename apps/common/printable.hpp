#pragma once
// Bytes from files made fit for a terminal: file names, words and stray bytes may hold anything.

#include <cstddef>
#include <string>
#include <string_view>

namespace far::apps {

/// `bytes` with control characters and broken UTF-8 as \xNN, so that nothing a file holds can
/// steer the terminal or break a line in two.
[[nodiscard]] std::string printable(std::string_view bytes);

/// The same, cut to about `columns` with "..." at the cut.
[[nodiscard]] std::string printable(std::string_view bytes, std::size_t columns);

/// Columns that printable text takes, one per code point.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// One byte for an error message: 'x', or 0x00 where it cannot be shown.
[[nodiscard]] std::string quoted_byte(char byte);

}  // namespace far::apps
