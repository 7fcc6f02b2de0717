#pragma once
// Accumulates that the origin computes, under the lock of the owner's memory.

#include "far/rma/future.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// By loads and stores. Waits for the lock.
void accumulate_directly(const world& world, const plan& what, const scaling& how);
/// The same, without waiting: where the lock is taken, sends the bytes to the owner instead.
[[nodiscard]] future<void> start_accumulate_directly(const world& world, const plan& what,
                                                     const scaling& how);
/// By a get of each segment, and a put of the sum. Waits for each. Works everywhere, and needs no
/// processor at the target, but holds the lock for several round trips.
void accumulate_per_segment(const world& world, const plan& what, const scaling& how);

}  // namespace far::sections
