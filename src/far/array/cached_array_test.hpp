#pragma once
// What the tests of cached arrays share.

#include <cstdint>
#include <vector>

#include "far/array/cached_array.hpp"

namespace far::test {

/// An element of 24 bytes, which takes several instructions to access.
struct point {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint32_t z = 0;
};

/// Options that a test tries, some of them in a simulated job: chunks of 1, 3 and 512 elements, a
/// cache of two lines, and the default.
inline std::vector<cached_array_options> all_options(const world& world) {
  cached_array_options tiny{.chunk = 3, .begins = {}, .cache_bytes = 1, .force_protocol = true};
  cached_array_options cached = tiny;
  cached.how = caching::always;
  cached_array_options single = tiny;
  single.chunk = 1;
  single.cache_bytes = 1 << 16;
  cached_array_options large{};
  large.force_protocol = true;
  if (world.fabric().name() == "sim") return {world.size() % 2 == 0 ? tiny : cached};
  return {tiny, cached, single, large, {}};
}

}  // namespace far::test
