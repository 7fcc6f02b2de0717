#pragma once
// Batches of accesses, some of which go past the cache.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "far/array/cached/thread_access.hpp"

namespace far::cached {

/// Makes an access for each index k: cached(k), or where the cache is not used, past(k), which
/// starts it; finish() waits for those that have been started.
///
/// While an access to a home's memory is in flight, its chunk's right stays here, so nothing else
/// is waited for: ranks could wait for each other. So the accesses past the cache come last.
template <class Cached, class Past, class Finish>
void run_batch(const thread_access& access, std::span<const std::uint64_t> indices, Cached cached,
               Past past, Finish finish) {
  constexpr std::size_t max_in_flight = 256;
  const auto chunk_of = [&](std::size_t k) { return access.part().map.find(indices[k]).chunk; };
  std::vector<std::size_t> last;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (access.goes_past_cache(chunk_of(k))) {
      last.push_back(k);
    } else {
      cached(k);
    }
  }
  std::vector<std::uint64_t> entered;
  const auto leave = [&] {
    finish();
    for (const std::uint64_t chunk : entered) {
      leave_home(access.part(), access.world().context(), chunk);
    }
    entered.clear();
  };
  for (const std::size_t k : last) {
    if (!access.enter_home(chunk_of(k))) {  // since the first look
      leave();
      cached(k);
      continue;
    }
    past(k);
    entered.push_back(chunk_of(k));
    if (entered.size() == max_in_flight) leave();
  }
  leave();
}

}  // namespace far::cached
