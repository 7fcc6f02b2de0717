#include "apps/common/printable.hpp"

#include <fmt/format.h>

namespace far::apps {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Length of the well-formed UTF-8 sequence at the start of `text`; 0 if there is none, and for the
// control characters U+0000-001F and U+007F-009F.
std::size_t shown_length(std::string_view text) {
  const std::uint32_t first = byte_at(text, 0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80U) return 0;
    code = code << 6 | (byte_at(text, i) & 0x3fU);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0xa0, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= smallest[length] && code <= 0x10ffff && !surrogate ? length : 0;
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = shown_length(bytes);
    if (length > 0) {
      out.append(bytes.substr(0, length));
    } else {
      out += fmt::format("\\x{:02x}", byte_at(bytes, 0));
    }
    bytes.remove_prefix(length > 0 ? length : 1);
  }
  return out;
}

std::string printable(std::string_view bytes, std::size_t columns) {
  // A column takes at most four bytes, so bytes beyond these cannot be shown.
  std::string text = printable(bytes.substr(0, 4 * columns + 4));
  if (display_width(text) <= columns) return text;
  const std::size_t kept = columns > 3 ? columns - 3 : 0;
  std::size_t end = 0;
  for (std::size_t shown = 0; shown < kept; ++shown) {
    end += shown_length(std::string_view(text).substr(end));
  }
  text.resize(end);
  return text + "...";
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  return width;
}

std::string quoted_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  if (value > 0x20 && value < 0x7f) return fmt::format("'{}'", byte);
  return fmt::format("byte 0x{:02x}", value);
}

}  // namespace far::apps
