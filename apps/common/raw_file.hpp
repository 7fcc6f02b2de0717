#pragma once
// A file opened for reading, whose every failure is an input_error.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace far::apps {

/// Owns the descriptor. Not thread-safe, except that read_at may run concurrently.
class raw_file {
 public:
  /// Errors: input_error for what is missing, forbidden, or a directory.
  explicit raw_file(std::string path);
  raw_file(raw_file&& other) noexcept;
  raw_file& operator=(raw_file&&) = delete;
  ~raw_file();

  [[nodiscard]] const std::string& path() const { return path_; }

  /// False for pipes and devices: they have no size, cannot be split, and are read only once.
  [[nodiscard]] bool regular() const { return regular_; }

  /// Bytes when it was opened; 0 unless regular.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// The next bytes; fewer than asked only at the end.
  std::size_t read(std::span<char> into);

  /// Bytes from `offset` on; fewer than asked only at the end. Regular files only.
  std::size_t read_at(std::uint64_t offset, std::span<char> into) const;

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int descriptor_ = -1;
  bool regular_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace far::apps
