#pragma once
// The owner's side of packed transfers: functions that origins call. They run as tasks of the
// owner's lane 0, in whatever thread makes progress, and never wait.

#include <cstddef>
#include <vector>

#include "far/fabric/address.hpp"
#include "far/rma/future.hpp"
#include "far/rpc/landed_call.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/remote_side.hpp"
#include "far/world/world.hpp"

namespace far::sections::owner {

// Each in two forms: with the slice's bytes in the message or its reply, and with the bytes at a
// place of the origin's local segment.
void put(const world& world, const remote_slice& to, const std::vector<std::byte>& bytes);
[[nodiscard]] future<void> put_staged(const world& world, const remote_slice& to,
                                      fabric::address from);
[[nodiscard]] std::vector<std::byte> get(const world& world, const remote_slice& from);
/// The pieces of a slice, which the reply packs. Runs inside the handler.
[[nodiscard]] detail::gathered gather(rank_state& here, const remote_slice& from);
[[nodiscard]] future<void> get_staged(const world& world, const remote_slice& from,
                                      fabric::address to);
[[nodiscard]] future<void> accumulate(const world& world, const remote_slice& to,
                                      const scaling& how, const std::vector<std::byte>& bytes);
[[nodiscard]] future<void> accumulate_staged(const world& world, const remote_slice& to,
                                             const scaling& how, fabric::address from);

}  // namespace far::sections::owner
