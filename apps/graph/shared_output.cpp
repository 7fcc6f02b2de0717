#include "apps/graph/shared_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "apps/common/input_error.hpp"

namespace far::apps {

namespace {

/// What a link leads to, so that it stays a link.
std::string without_links(std::string path) {
  std::error_code missing;
  const auto target = std::filesystem::canonical(path, missing);
  return missing ? path : target.string();
}

}  // namespace

shared_output::shared_output(world& world, std::string path)
    : world_(&world), path_(without_links(std::move(path))), part_(path_ + ".part") {
  if (world.rank() == 0) create();
  barrier(world);
  if (world.rank() != 0) {
    descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open on every rank; give a path that all hosts share");
  }
  barrier(world);  // a rank that fails later removes the file, so all have it open by then
}

void shared_output::create() {
  constexpr mode_t readable_by_all = 0666;
  struct stat existing {};
  const bool exists = ::stat(path_.c_str(), &existing) == 0;
  if (exists && !S_ISREG(existing.st_mode)) {
    throw error(
        fmt::format("{}: is no file that can be replaced; give another name", shown_name(path_)));
  }
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readable_by_all);
  if (descriptor_ < 0) fail("cannot create");
  if (exists && ::fchmod(descriptor_, existing.st_mode & 07777) != 0) fail("cannot create");
}

shared_output::~shared_output() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!finished_ && world_->rank() == 0) ::unlink(part_.c_str());
}

void shared_output::write(std::uint64_t offset, std::span<const char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("cannot write");
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    offset += static_cast<std::uint64_t>(done);
  }
}

void shared_output::finish() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write");
  barrier(*world_);
  if (world_->rank() == 0) {
    if (std::rename(part_.c_str(), path_.c_str()) != 0) fail("cannot replace");
  }
  finished_ = true;
  barrier(*world_);
}

void shared_output::fail(const char* what) const {
  throw error(fmt::format("{}: {}: {}", shown_name(path_), what, std::strerror(errno)));
}

}  // namespace far::apps
