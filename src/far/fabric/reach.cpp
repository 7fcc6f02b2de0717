#include "far/fabric/reach.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "far/base/error.hpp"
#include "far/fabric/fabric.hpp"

namespace far::fabric {
namespace {

constexpr std::size_t segments = address::max_segments;
constexpr std::size_t table_bytes = sizeof(std::uintptr_t) * address::max_ranks * segments;

/// Reserves space for every entry; the first `used` are writable. The rest is not charged to the
/// process, even where the system does not overcommit memory.
std::uintptr_t* map_table(std::size_t used) {
  void* const memory =
      mmap(nullptr, table_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED ||
      (used > 0 && mprotect(memory, used * sizeof(std::uintptr_t), PROT_READ | PROT_WRITE) != 0)) {
    throw fabric_error("cannot reserve 128 MiB of address space for the table of ranks: " +
                       std::string(std::strerror(errno)) + "; raise `ulimit -v`");
  }
  return static_cast<std::uintptr_t*>(memory);
}

/// Shared by all ranks of the process that reach nothing; a simulation has thousands of them.
reach_table empty_table() {
  static const reach_table table = map_table(0);
  return table;
}

}  // namespace

void reach::unmap::operator()(std::uintptr_t* table) const noexcept { munmap(table, table_bytes); }

void reach::clear() noexcept {
  if (own_) std::fill_n(own_.get(), used_, 0);
}

reach::reach(const fabric& fabric)
    : used_(static_cast<std::size_t>(fabric.size()) * segments),
      words_(empty_table()),
      atomics_(empty_table()) {
  for (int rank = 0; rank < fabric.size(); ++rank) {
    if (fabric.direct(rank) == nullptr) continue;
    if (!own_) own_.reset(map_table(used_));
    for (std::size_t segment = 0; segment < segments; ++segment) {
      if (fabric.layout().bytes[segment] == 0) continue;
      const address start(rank, static_cast<int>(segment), 0);
      own_[start.bits() >> address::offset_bits] =
          reinterpret_cast<std::uintptr_t>(fabric.direct(start)) - start.bits();
    }
  }
  if (own_) words_ = own_.get();
  if (fabric.coherent()) atomics_ = words_;
}

std::unique_ptr<std::byte*[]> reached_on_ranks(reach_table table, address place, int ranks) {
  std::unique_ptr<std::byte*[]> places;
  for (int rank = 0; rank < ranks; ++rank) {
    std::byte* const there = reached(table, place.on(rank));
    if (there == nullptr) continue;
    if (!places) places = std::make_unique<std::byte*[]>(static_cast<std::size_t>(ranks));
    places[static_cast<std::size_t>(rank)] = there;
  }
  return places;
}

}  // namespace far::fabric
