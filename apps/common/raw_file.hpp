#pragma once
// A file opened for reading; every failure is an input_error.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace far::apps {

/// Owns the descriptor. Not thread-safe, except that read_at may run concurrently.
class raw_file {
 public:
  /// Errors: input_error for a file that is missing or forbidden, or a directory.
  explicit raw_file(std::string path);
  raw_file(raw_file&& other) noexcept;
  raw_file& operator=(raw_file&&) = delete;
  ~raw_file();

  [[nodiscard]] const std::string& path() const { return path_; }

  /// False for pipes and devices: they have no size, cannot be split, and can be read only once.
  [[nodiscard]] bool regular() const { return regular_; }

  /// Size in bytes when it was opened, as the file system reported it; 0 unless regular.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Whether the file ends at size(). False for a file whose contents are generated while it is
  /// read: files of /proc report 0, those of /sys a page, and some network file systems report 0
  /// until the data has arrived. False unless regular.
  [[nodiscard]] bool ends_at_size() const;

  /// Reads the next bytes; returns fewer than requested only at the end.
  std::size_t read(std::span<char> into);

  /// Reads bytes from `offset`; returns fewer than requested only at the end. Regular files only.
  std::size_t read_at(std::uint64_t offset, std::span<char> into) const;

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int descriptor_ = -1;
  bool regular_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace far::apps
