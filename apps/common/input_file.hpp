#pragma once
// Reads one part of a file: the pieces that the part owns, and the neighboring bytes that it needs
// to finish an item that begins in one piece and ends in the next.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/byte_range.hpp"
#include "apps/common/byte_stream.hpp"
#include "apps/common/input_error.hpp"

namespace far::apps {

enum class input_kind : std::uint8_t {
  plain_file,   ///< each part reads its own range
  packed_file,  ///< each part unpacks the whole file and keeps its stripes
  /// A pipe, a device, or a file whose reported size is wrong: part 0 reads until the end, the
  /// other parts read nothing.
  stream,
};

/// What all parts must agree on before they divide a file: one rank makes the plan and broadcasts
/// it. Trivially copyable.
struct input_plan {
  input_kind kind = input_kind::plain_file;
  std::uint64_t bytes = 0;      ///< file size as stored on disk; 0 for a stream
  std::uint8_t mark_bytes = 0;  ///< size of a plain file's byte order mark, which precedes the text
};

/// Reads the file's head and size; does not open a pipe or a character device.
/// Errors: input_error for a missing file, a directory, an unsupported packing.
[[nodiscard]] input_plan plan_input(const std::string& path);
[[nodiscard]] input_plan plan_input(const raw_file& file);

/// Called with the bytes read so far and the total; the total is 0 if it is unknown.
using progress_callback = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct input_settings {
  std::size_t piece_bytes = 256 * 1024;  ///< also the stripe of packed files: equal on all parts
  std::size_t lead_bytes = 0;            ///< bytes before the part to read first, not owned
  progress_callback on_progress = {};
};

/// Contiguous bytes of the text; this part owns all or none of them.
struct input_piece {
  std::string_view bytes;    ///< valid until the next piece is read
  std::uint64_t offset = 0;  ///< position of the first byte in the unpacked text
  bool owned = false;
};

/// Not thread-safe. Memory: one piece.
class input_file {
 public:
  /// Errors: input_error, also if the file differs from the plan, as may happen on another machine.
  input_file(std::string path, const input_plan& plan, file_part part,
             input_settings settings = {});

  /// Reads the next piece; pieces are contiguous and in file order. They continue past the last
  /// owned byte, so that the caller can finish an item that began before it; a caller without such
  /// an item stops when done() is true. Returns false at the end of the file.
  bool next(input_piece& piece);

  /// True if no owned bytes remain.
  [[nodiscard]] bool done() const;

  /// The first byte that this part may own.
  [[nodiscard]] std::uint64_t begin() const { return range_.begin; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const input_plan& plan() const { return plan_; }

 private:
  bool next_in_file(input_piece& piece);
  bool next_in_stream(input_piece& piece);

  std::string path_;
  input_plan plan_;
  file_part part_;
  input_settings settings_;
  std::unique_ptr<raw_file> file_;       // plain files
  std::unique_ptr<byte_stream> stream_;  // packed files and streams
  std::vector<char> buffer_;
  std::uint64_t text_bytes_ = 0;  // of a plain file
  byte_range range_;              // owned bytes of a plain file's text
  std::uint64_t position_ = 0;    // of the next byte in the text
  std::uint64_t stripe_ = 0;
  std::size_t tail_bytes_ = 4096;  // read size past the range; small at first, then doubles
  bool ended_ = false;
};

/// Counts lines of a text that is read piece by piece.
class line_counter {
 public:
  void advance(std::string_view text);

  /// Position of byte `offset` of `text`, the text that follows everything counted so far.
  [[nodiscard]] text_position at(std::string_view text, std::size_t offset) const;

 private:
  text_position next_;
};

/// Line and column of a byte of the unpacked text. Reads the file again up to that byte, so that
/// readers need not count lines. Regular files only.
[[nodiscard]] text_position locate(const std::string& path, std::uint64_t offset);

}  // namespace far::apps
