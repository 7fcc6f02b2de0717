#include "apps/graph/shared_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "apps/common/input_error.hpp"

namespace far::apps {

shared_output::shared_output(world& world, std::string path)
    : world_(&world), path_(std::move(path)), part_(path_ + ".part") {
  constexpr mode_t readable_by_all = 0666;
  if (world.rank() == 0) {
    descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readable_by_all);
    if (descriptor_ < 0) fail("cannot create");
  }
  barrier(world);
  if (world.rank() != 0) {
    descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open on every rank; give a path that all hosts share");
  }
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
