#pragma once
// Errors in input files, as one line: `file:line:column: what is wrong; what to do`.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/common/printable.hpp"
#include "far/base/error.hpp"

namespace far::apps {

/// Line and column as editors count them: from 1, the column in bytes.
struct text_position {
  std::uint64_t line = 1;
  std::uint64_t column = 1;

  friend bool operator==(const text_position&, const text_position&) = default;
};

/// A file's name for messages.
inline std::string shown_name(std::string_view file) {
  return file.empty() ? "''" : printable(file);
}

/// A file that cannot be used as given.
class input_error : public bad_argument {
 public:
  input_error(std::string_view file, std::string_view what)
      : bad_argument(fmt::format("{}: {}", shown_name(file), what)) {}

  /// `offset` is the error's position in bytes of the unpacked text. If several ranks fail, the
  /// error with the smallest offset is the one that a sequential reader would have reported.
  input_error(std::string_view file, text_position where, std::uint64_t offset,
              std::string_view what)
      : bad_argument(fmt::format("{}:{}:{}: {}", shown_name(file), where.line, where.column, what)),
        offset_(offset) {}

  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

 private:
  std::uint64_t offset_ = 0;
};

/// Thrown by parsers, which see a piece of text but not its file; readers convert it to an
/// input_error with file, line and column.
struct text_error : std::runtime_error {
  text_error(std::size_t at, const std::string& what) : std::runtime_error(what), offset(at) {}

  std::size_t offset;  ///< bytes into the text that the parser was given
};

}  // namespace far::apps
