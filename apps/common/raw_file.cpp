#include "apps/common/raw_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

const char* advice(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "check the path";
    case EACCES:
    case EPERM:
      return "change its permissions, or copy it to where you may read it";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    default:
      return "check the file and the disk it is on";
  }
}

// Calls `read(done)` until `bytes` have been read or it returns 0; returns -1 on error.
template <class Read>
ssize_t read_fully(std::size_t bytes, Read&& read) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = read(done);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

raw_file::raw_file(std::string path) : path_(std::move(path)) {
  do {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail("cannot open");
  struct stat info = {};
  const bool known = ::fstat(descriptor_, &info) == 0;
  if (!known || S_ISDIR(info.st_mode)) {
    ::close(std::exchange(descriptor_, -1));
    if (!known) fail("cannot open");
    throw input_error(path_, "is a directory; name a file in it");
  }
  regular_ = S_ISREG(info.st_mode);
  if (regular_) size_ = static_cast<std::uint64_t>(info.st_size);
}

raw_file::raw_file(raw_file&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      regular_(other.regular_),
      size_(other.size_) {}

raw_file::~raw_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t raw_file::read(std::span<char> into) {
  const ssize_t got = read_fully(into.size(), [&](std::size_t done) {
    return ::read(descriptor_, into.data() + done, into.size() - done);
  });
  if (got < 0) fail("cannot read");
  return static_cast<std::size_t>(got);
}

std::size_t raw_file::read_at(std::uint64_t offset, std::span<char> into) const {
  const ssize_t got = read_fully(into.size(), [&](std::size_t done) {
    return ::pread(descriptor_, into.data() + done, into.size() - done,
                   static_cast<off_t>(offset + done));
  });
  if (got < 0) fail("cannot read");
  return static_cast<std::size_t>(got);
}

bool raw_file::ends_at_size() const {
  if (!regular_) return false;
  // Errors are ignored here: reading the file from its start reports them, or succeeds (some files
  // of /proc cannot be read from the middle).
  const auto byte_at = [this](std::uint64_t offset) {
    char byte = 0;
    return read_fully(
        1, [&](std::size_t) { return ::pread(descriptor_, &byte, 1, static_cast<off_t>(offset)); });
  };
  return (size_ == 0 || byte_at(size_ - 1) == 1) && byte_at(size_) == 0;
}

void raw_file::fail(const char* what) const {
  const int error = errno;
  throw input_error(path_, fmt::format("{}: {}; {}", what, std::strerror(error), advice(error)));
}

}  // namespace far::apps
