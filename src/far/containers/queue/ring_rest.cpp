#include "far/containers/queue/ring_rest.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/rma/direct.hpp"

namespace far::containers {
namespace {

/// Closes the cursor. Returns its position, before or since it was closed.
std::uint64_t close(const world& world, const atomic_ref<std::uint64_t>& cursor) {
  std::byte* const word = world.fabric().local(cursor.place().address());
  return position_of(
      rma::atomic_word<std::uint64_t>(word).fetch_or(ring_closed, std::memory_order_acq_rel));
}

void check_request(const world& world, const ring& where) {
  if (!world.fabric().knows_failure()) {
    throw bad_argument(fmt::format(
        "rank {} closes a queue of a job that has not failed: close it after rank_failed",
        world.rank()));
  }
  if (where.host() != world.rank()) {
    throw bad_argument(fmt::format("rank {} closes a queue at rank {}: only its host can",
                                   world.rank(), where.host()));
  }
}

}  // namespace

ring_rest close_ring(const world& world, const ring& where) {
  check_request(world, where);
  // In this order, because each cursor is at most the next one.
  ring_rest rest;
  rest.freed = close(world, where.freed(world));
  rest.head = close(world, where.head(world));
  rest.ready = close(world, where.ready(world));
  rest.tail = std::min(close(world, where.tail(world)), rest.freed + where.capacity);
  const auto full_at =
      rma::load_word<std::uint64_t>(world.fabric().local(where.full_at(world).place().address()));
  if (full_at != 0) rest.tail = full_at;
  return rest;
}

void copy_slots(const world& world, const ring& where, std::uint64_t pos, std::uint64_t end,
                std::byte* to) {
  const std::byte* const slots = world.fabric().local(where.slots);
  for (; pos < end; ++pos, to += where.slot_bytes) {
    fabric::copy_bytes(to, slots + pos % where.capacity * where.slot_bytes, where.slot_bytes);
  }
}

}  // namespace far::containers
