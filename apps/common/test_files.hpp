#pragma once
// Support for tests of file readers: temporary files, packed bytes, and paths of test data.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>

#include "apps/common/byte_stream.hpp"
#include "apps/common/input_error.hpp"

namespace far::apps::testing {

/// An in-memory file with the given bytes, for tests that make thousands of files.
class memory_file {
 public:
  explicit memory_file(std::string_view bytes)
      : descriptor_(::memfd_create("far-test", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("no file in memory");
    write(bytes);
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { ::close(descriptor_); }

  void write(std::string_view bytes) const {
    const bool done =
        ::ftruncate(descriptor_, 0) == 0 &&
        ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (!done) throw std::runtime_error("cannot write a file in memory");
  }
  [[nodiscard]] std::string path() const {
    return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_);
  }

 private:
  int descriptor_;
};

/// A file with the given bytes and name, in a folder of its own that is removed at the end.
class temporary_file {
 public:
  explicit temporary_file(std::string_view bytes, const std::string& name = "input") {
    std::string folder = (std::filesystem::temp_directory_path() / "far-test-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = folder;
    path_ = folder_ / name;
    write(bytes);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_, path_;
};

inline std::string gzip(std::string_view text) {
  z_stream z = {};
  if (::deflateInit2(&z, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(::deflateBound(&z, text.size()) + 64, '\0');
  std::string copy(text);
  z.next_in = reinterpret_cast<Bytef*>(copy.data());
  z.avail_in = static_cast<uInt>(copy.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  ::deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  ::deflateEnd(&z);
  return out;
}

inline std::string xz(std::string_view text) {
  std::string out(::lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t used = 0;
  const lzma_ret status = ::lzma_easy_buffer_encode(
      6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
      reinterpret_cast<std::uint8_t*>(out.data()), &used, out.size());
  if (status != LZMA_OK) throw std::runtime_error("cannot pack");
  out.resize(used);
  return out;
}

/// The message of the bad_argument that `action` throws; empty if it throws none.
template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const bad_argument& error) {
    return error.what();
  }
  return {};
}

/// A file of the repository.
inline std::string source_file(const std::string& path) {
  return (std::filesystem::path(FAR_SOURCE_DIR) / path).string();
}

/// A file of the larger data set next to the repository, or in FAR_TEST_DATA. Tests that need it
/// are skipped if it is absent.
inline std::string shared_data(const std::string& name) {
  const char* folder = std::getenv("FAR_TEST_DATA");
  const std::filesystem::path root = folder != nullptr
                                         ? std::filesystem::path(folder)
                                         : std::filesystem::path(FAR_SOURCE_DIR) / "../shared/data";
  return (root / name).lexically_normal().string();
}

}  // namespace far::apps::testing
