#pragma once
// A file that all ranks of a job write together, each its own ranges.

#include <cstdint>
#include <span>
#include <string>

#include "far/far.hpp"

namespace far::apps {

/// Construction and finish are collective. Until finish, the bytes are in the file PATH.part, which
/// then replaces PATH, or what it links to, and gets its permissions. If a rank fails, PATH stays
/// as it was.
/// Errors: far::error where the file system refuses, such as on a full disk, and if PATH is a
/// device, a pipe or a folder.
class shared_output {
 public:
  shared_output(world& world, std::string path);
  shared_output(const shared_output&) = delete;
  shared_output& operator=(const shared_output&) = delete;
  ~shared_output();

  void write(std::uint64_t offset, std::span<const char> bytes) const;
  void finish();

 private:
  void create();
  [[noreturn]] void fail(const char* what) const;

  world* world_;
  std::string path_;
  std::string part_;
  int descriptor_ = -1;
  bool finished_ = false;
};

/// Collects bytes that follow each other, and writes them in large pieces.
class output_stream {
 public:
  output_stream(const shared_output& output, std::uint64_t offset)
      : output_(&output), offset_(offset) {
    buffer_.reserve(piece_bytes);
  }

  /// The value as it is in memory.
  template <class T>
  void put(const T& value) {
    append({reinterpret_cast<const char*>(&value), sizeof value});
  }
  void append(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > piece_bytes) flush();
    buffer_.append(bytes);
  }
  /// Writes what is left; the destructor does not, as it must not fail.
  void flush() {
    output_->write(offset_, buffer_);
    offset_ += buffer_.size();
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;

  const shared_output* output_;
  std::uint64_t offset_;
  std::string buffer_;
};

}  // namespace far::apps
