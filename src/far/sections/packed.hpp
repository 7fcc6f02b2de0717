#pragma once
// The protocol by messages: the origin packs the bytes of a slice, or makes room for them, and the
// owner's processor unpacks or packs the other side. Slices have at most 64 KB, so that a task of
// the owner is short. A slice that does not fit in a message lies in the origin's local segment
// meanwhile, and the owner gets or puts it there.

#include <cstddef>
#include <cstdint>

#include "far/rma/future.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// Max bytes of a slice: what a task of the owner moves at a time.
inline constexpr std::uint64_t slice_bytes = 64 * 1024;
/// Max slices in flight. A call that starts more waits for the oldest, unless it must not wait.
inline constexpr std::size_t slices_in_flight = 16;

/// Errors: out_of_memory if the local segment has no room for a single slice.
[[nodiscard]] future<void> start_packed_put(const world& view, const plan& what);
[[nodiscard]] future<void> start_packed_get(const world& view, const plan& what);
/// Of the bytes from `begin` of the stream on, a whole number of elements.
[[nodiscard]] future<void> start_packed_accumulate(const world& view, const plan& what,
                                                   const scaling& how, std::uint64_t begin = 0);

}  // namespace far::sections
