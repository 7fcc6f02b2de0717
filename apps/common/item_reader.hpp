#pragma once
// Reads whole lines or words of one part of a file: an item belongs to the part that owns its first
// byte, and is never cut at the boundary of a buffer or part.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/common/input_file.hpp"

namespace far::apps {

/// What separates two items.
enum class separator : std::uint8_t {
  newline,
  whitespace,  ///< space, \t, \n, \v, \f, \r
};

[[nodiscard]] constexpr bool is_whitespace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// One or more whole items. The last ends with its separator, or with a newline if the file ends
/// without a separator.
struct item_chunk {
  std::string_view text;     ///< valid until the next chunk is read
  std::uint64_t offset = 0;  ///< position of the first byte in the unpacked text
};

/// Not thread-safe. Does not copy items that lie within one piece of the file.
class item_reader {
 public:
  /// `largest_item` bounds the memory used for a file without separators.
  item_reader(std::string path, const input_plan& plan, file_part part, separator between,
              std::size_t largest_item, input_settings settings = {});

  /// Reads the next items of this part; returns false if there are no more.
  /// Errors: input_error, also for an item that is too long.
  bool next(item_chunk& chunk);

  /// Throws input_error for the byte at `offset` of the unpacked text, which must lie in the chunk
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
  input_piece piece_ = {};  // the rest of the piece read last
  // Whether piece_ begins inside an item, and whether that item is ours; if so, carried_ has its
  // bytes so far.
  bool inside_item_ = false;
  bool item_is_ours_ = false;
  std::string carried_;
  std::uint64_t carried_offset_ = 0;
  item_chunk last_ = {};
  line_counter lines_;  // lines before last_; only for streams, which cannot be read again to count
};

}  // namespace far::apps
