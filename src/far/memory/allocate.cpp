#include "far/memory/allocate.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::memory {

std::byte* checked_local(fabric::fabric& fabric, fabric::address place, std::uint64_t bytes) {
  if (place && place.rank() != fabric.rank()) {
    throw bad_argument(
        fmt::format("rank {} wants a plain pointer into rank {}'s memory: use get, put or "
                    "atomic_ref, or get the pointer on that rank",
                    fabric.rank(), place.rank()));
  }
  fabric.check_bounds(place, bytes);
  return fabric.local(place);
}

fabric::address checked_address(const fabric::fabric& fabric, const void* place) {
  const fabric::address result = fabric.address_of(place);
  if (!result) {
    throw bad_argument(fmt::format(
        "the object at {} is not in memory of allocate or allocate_local of rank {}: other ranks "
        "cannot reach it",
        place, fabric.rank()));
  }
  return result;
}

}  // namespace far::memory
