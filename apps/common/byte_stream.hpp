#pragma once
// The text of a file from its first byte to its last, unpacked, without a byte order mark. The
// file's first bytes determine whether it is packed; its name is ignored.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/file_head.hpp"
#include "apps/common/raw_file.hpp"

namespace far::apps {

/// Buffered raw bytes of a file; the unpackers read from it.
class raw_input {
 public:
  explicit raw_input(raw_file file);

  /// The buffered bytes; reads more if the buffer is empty. Empty at the end of the file.
  std::string_view peek();

  /// Like peek, but reads until `bytes` are buffered or the file ends.
  std::string_view peek_at_least(std::size_t bytes);

  void consume(std::size_t bytes) { begin_ += bytes, consumed_ += bytes; }

  /// Copies the buffered bytes, then reads from the file directly into `into`.
  std::size_t read(std::span<char> into);

  [[nodiscard]] std::uint64_t consumed() const { return consumed_; }
  [[nodiscard]] const raw_file& file() const { return file_; }

 private:
  raw_file file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t consumed_ = 0;
};

/// Not thread-safe. After an error the stream is unusable.
class byte_stream {
 public:
  explicit byte_stream(raw_input input) : input_(std::move(input)) {}
  byte_stream(const byte_stream&) = delete;
  byte_stream& operator=(const byte_stream&) = delete;
  virtual ~byte_stream() = default;

  /// Reads the next bytes of text; returns fewer than requested only at the end.
  /// Errors: input_error for packed data that is damaged or ends early, and for packed data that
  /// contains an archive or is packed twice.
  std::size_t read(std::span<char> into);

  /// Bytes of the file read so far, counted as stored (packed): for progress.
  [[nodiscard]] std::uint64_t consumed() const { return input_.consumed(); }

 protected:
  /// Unpacks the next bytes; returns fewer than requested only at the end.
  virtual std::size_t unpack(std::span<char> into) = 0;

  [[noreturn]] void fail_truncated(const char* kind) const;
  [[noreturn]] void fail_damaged(const char* kind, std::string_view how) const;

  raw_input input_;

 private:
  void read_head();

  std::vector<char> head_;     // the first bytes, read in advance to check them
  std::size_t head_used_ = 0;  // bytes of head_ already returned, or skipped as a byte order mark
  bool begun_ = false;
};

[[nodiscard]] std::unique_ptr<byte_stream> open_stream(raw_file file);
[[nodiscard]] std::unique_ptr<byte_stream> make_gzip_stream(raw_input input);
[[nodiscard]] std::unique_ptr<byte_stream> make_xz_stream(raw_input input);

}  // namespace far::apps
