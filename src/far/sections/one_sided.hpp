#pragma once
// The protocols without the target's processor: direct, by instructions, and per segment, by one
// put or get of the fabric for each segment, without copies.

#include "far/rma/future.hpp"
#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// Whether plain instructions reach all of the plan's remote side.
[[nodiscard]] bool is_reached(const world& view, const plan& what) noexcept;

/// By instructions. is_reached must be true.
void put_directly(const world& view, const plan& what) noexcept;
void get_directly(const world& view, const plan& what) noexcept;

/// By one operation of the fabric for each segment.
[[nodiscard]] future<void> start_put_per_segment(const world& view, const plan& what);
[[nodiscard]] future<void> start_get_per_segment(const world& view, const plan& what);

}  // namespace far::sections
