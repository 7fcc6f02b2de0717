#include "far/object/heap/reserved_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/object/heap/stale_memory.hpp"

namespace far::objects {

reserved_memory::reserved_memory(std::uint64_t bytes) : bytes_(bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw out_of_memory(
        fmt::format("object_space: cannot reserve {} MB of address space for copies: {}; raise "
                    "`ulimit -v`, or lower object_space_options::heap_bytes",
                    bytes >> 20, std::strerror(errno)));
  }
  start_ = static_cast<std::byte*>(memory);
}

reserved_memory::~reserved_memory() {
  if (start_ == nullptr) return;
  permit(start_, bytes_);
  munmap(start_, bytes_);
}

void reserved_memory::give_back(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  madvise(start_ + offset, bytes, MADV_DONTNEED);
}

}  // namespace far::objects
