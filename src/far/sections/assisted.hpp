#pragma once
// Host-assisted transfers: a helper at the target, whatever runs its lane 0, starts the transfer of
// up to 60 segments at a time straight from or into their places. It neither copies nor waits.
//
// Where the interface gathers and scatters (fabric::descriptor_segments):
//
//     get:  origin: posts a scatter, sends a request
//           helper: gathers; the bytes land at the origin
//     put:  origin: sends a request
//           helper: posts a scatter, acknowledges
//           origin: gathers; the bytes land at the target
//           helper: answers the request
//
// Each descriptor of segments has its own request, so the helper keeps nothing between two. The
// acknowledgement of a put is a call of the helper, which says into which landings its answer goes.
//
// Where it cannot (UCP has no put that gathers), the helper starts a put for each segment, with its
// answer behind them, into the segments of the origin. A put needs no helper there: the origin puts
// each segment itself.
//
// Source: J. Nieplocha et al., host-assisted zero-copy remote memory access, 2003, section 5.

#include "far/rma/future.hpp"
#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// Whether the plan's local side lies in this rank's segments, so that others may write to it.
[[nodiscard]] bool lies_in_segments(const fabric::fabric& fabric, const plan& what) noexcept;

/// Segments that one request covers.
[[nodiscard]] std::uint64_t segments_of_request(const fabric::fabric& fabric,
                                                const plan& what) noexcept;

[[nodiscard]] future<void> start_assisted_put(const world& world, const plan& what);
/// lies_in_segments must be true.
[[nodiscard]] future<void> start_assisted_get(const world& world, const plan& what);

}  // namespace far::sections
