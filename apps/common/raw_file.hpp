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

  /// Bytes when it was opened, as the file system tells them; 0 unless regular.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Whether reading finds the end where size() says. False for a file whose bytes are made while
  /// it is read: those of /proc tell 0, those of /sys a page, and some network file systems 0
  /// until the data has come. False unless regular.
  [[nodiscard]] bool ends_at_size() const;

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
