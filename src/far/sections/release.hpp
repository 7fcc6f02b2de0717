#pragma once
// After a failure: what a rank left behind in the middle of an accumulate.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far {

/// An accumulate of `rank` that was interrupted. Of the elements in the `bytes` bytes from `first`
/// on, some may have been updated. If `bytes` is 0, none has.
struct interrupted_accumulate {
  int rank = -1;
  ptr<std::byte> first;
  std::uint64_t bytes = 0;
};

/// Repairs this rank's memory after rank_failed: unlocks it, and says who held the lock, if anybody
/// did: the rank that died, or one that the failure interrupted.
///
///     } catch (const far::rank_failed&) {
///       if (const auto found = far::release_accumulate(world)) doubtful(*found);
///       save(...);
///
/// Ranks that have not noticed the failure may still be accumulating.
/// Cost: some loads and stores. Does not communicate.
/// Checked by: sections_accumulate_failure_test.owners_repair_the_lock
[[nodiscard]] std::optional<interrupted_accumulate> release_accumulate(const world& world);

}  // namespace far
