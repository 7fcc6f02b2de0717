#pragma once
// The protocols without the target's processor: direct, by instructions, and per segment, by one
// put or get of the fabric for each segment, without copies.

#include <cstddef>
#include <cstdint>

#include "far/rma/future.hpp"
#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// Whether plain instructions reach all of the plan's remote side.
[[nodiscard]] bool is_reached(const world& world, const plan& what) noexcept;

/// By instructions. is_reached must be true.
void put_directly(const world& world, const plan& what) noexcept;
void get_directly(const world& world, const plan& what) noexcept;

/// Segments of one list, which takes 24 bytes for each.
inline constexpr std::uint64_t list_segments = 16384;
/// Max lists in flight. A call that starts more waits for the oldest, unless it must not wait.
inline constexpr std::size_t lists_in_flight = 4;

/// By one operation of the fabric for each segment, in lists of up to `most` segments.
/// Errors: out_of_bounds before anything moves.
/// Checked by: sections_per_segment_test.lists_are_bounded
[[nodiscard]] future<void> start_put_per_segment(const world& world, const plan& what,
                                                 std::uint64_t most = list_segments);
[[nodiscard]] future<void> start_get_per_segment(const world& world, const plan& what,
                                                 std::uint64_t most = list_segments);

}  // namespace far::sections
