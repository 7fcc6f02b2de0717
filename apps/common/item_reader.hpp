#pragma once
// Lines or words of one part of a file, whole: an item belongs to the part that owns its first
// byte, and is never cut by a buffer's or a part's boundary.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/common/input_file.hpp"

namespace far::apps {

/// What stands between two items.
enum class separator : std::uint8_t {
  newline,
  whitespace,  ///< space, \t, \n, \v, \f, \r
};

[[nodiscard]] constexpr bool is_whitespace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Whole items one after another; the last ends with its separator, or with a newline where the
/// file ends without one.
struct item_chunk {
  std::string_view text;     ///< valid until the next chunk is read
  std::uint64_t offset = 0;  ///< of the first byte in the unpacked text
};

/// Not thread-safe. Items that lie within a piece of the file are handed out without a copy.
class item_reader {
 public:
  /// `largest_item` bounds the memory that a file without separators takes.
  item_reader(std::string path, const input_plan& plan, file_part part, separator between,
              std::size_t largest_item, input_settings settings = {});

  /// The next items of this part; false when there are no more.
  /// Errors: input_error, also for an item that is too long.
  bool next(item_chunk& chunk);

  /// Throws input_error for the byte at `offset` of the unpacked text, which lies in the chunk
  /// read last.
  [[noreturn]] void fail(std::uint64_t offset, std::string_view what) const;

  [[nodiscard]] const input_file& file() const { return file_; }

 private:
  bool separates(char c) const {
    return between_ == separator::newline ? c == '\n' : is_whitespace(c);
  }
  std::size_t find_separator(std::string_view text) const;
  std::size_t after_last_separator(std::string_view text) const;
  bool finish_begun_item(item_chunk& chunk);
  bool whole_items(item_chunk& chunk);
  bool end_of_file(item_chunk& chunk);
  void carry(std::string_view text, std::uint64_t offset);
  bool hand_out(item_chunk& chunk, std::string_view text, std::uint64_t offset);

  input_file file_;
  separator between_;
  std::size_t largest_item_;
  input_piece piece_ = {};  // what is left of the piece read last
  // The item that the bytes before piece_ leave unfinished: whether there is one, and if it is
  // ours its bytes.
  bool inside_item_ = false;
  bool item_is_ours_ = false;
  std::string carried_;
  std::uint64_t carried_offset_ = 0;
  item_chunk last_ = {};
  line_counter lines_;  // streams only, which cannot be read again to count: lines before last_
};

}  // namespace far::apps
