#pragma once
// The protocols through buffers: the origin packs the bytes of a slice, or makes room for them, and
// the owner's processor unpacks or packs the other side. Slices have at most 64 KB, so that a task
// of the owner is short. A slice that does not fit in a message lies in the origin's local segment
// meanwhile, and the owner gets or puts it there.
//
// Packed: one slice at a time, as large as may be. Pipelined: smaller ones, several in flight, so
// that one is packed while others travel and are unpacked.
//
// Source: J. Nieplocha et al., host-assisted zero-copy remote memory access, 2003, section 4.

#include <cstddef>
#include <cstdint>

#include "far/rma/future.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// Max bytes of a slice: what a task of the owner moves at a time.
inline constexpr std::uint64_t slice_bytes = 64 * 1024;
/// Max bytes of a slice of a get that come with the owner's reply: as many as its packet takes
/// along over UCX (max_riding there). More are put ahead of the reply, which takes a round trip
/// more.
inline constexpr std::uint64_t reply_bytes = 7680;
/// The same on this machine. None where a simulated interface gathers: there it would be a
/// host-assisted get, without the owner's copy that the buffered protocols have.
[[nodiscard]] std::uint64_t max_replied_bytes(const world& world);
/// A slice is a multiple of this, so of whole elements, unless it is the last.
inline constexpr std::uint64_t slice_unit = 64;

/// How a stream is cut into slices.
struct slicing {
  std::uint64_t bytes = slice_bytes;  ///< of a slice, the last one excepted
  /// Max slices in flight. A call that starts more waits for the oldest, unless it must not wait.
  std::size_t in_flight = 1;
};
/// How a pipeline cuts a stream into slices of so many bytes.
[[nodiscard]] constexpr slicing pipeline_of(std::uint64_t bytes) noexcept { return {bytes, 16}; }

/// Errors: out_of_memory if the local segment has no room for a single slice.
[[nodiscard]] future<void> start_packed_put(const world& world, const plan& what,
                                            const slicing& cut);
[[nodiscard]] future<void> start_packed_get(const world& world, const plan& what,
                                            const slicing& cut);
/// Adds the bytes from `begin` of the stream on: a whole number of elements.
[[nodiscard]] future<void> start_packed_accumulate(const world& world, const plan& what,
                                                   const slicing& cut, const scaling& how,
                                                   std::uint64_t begin = 0);

}  // namespace far::sections
