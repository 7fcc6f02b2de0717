#include "far/containers/queue/ring_rest.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/rma/direct.hpp"

namespace far::containers {
namespace {

/// Closes the cursor. Returns its position, before or since it was closed.
std::uint64_t close(const world& view, const atomic_ref<std::uint64_t>& cursor) {
  std::byte* const word = view.fabric().local(cursor.place().address());
  return position_of(
      rma::atomic_word<std::uint64_t>(word).fetch_or(ring_closed, std::memory_order_acq_rel));
}

void check_request(const world& view, const ring& where) {
  if (!view.fabric().knows_failure()) {
    throw bad_argument(fmt::format(
        "rank {} closes a queue of a job that has not failed: close it after rank_failed",
        view.rank()));
  }
  if (where.host() != view.rank()) {
    throw bad_argument(fmt::format("rank {} closes a queue at rank {}: only its host can",
                                   view.rank(), where.host()));
  }
}

}  // namespace

ring_rest close_ring(const world& view, const ring& where) {
  check_request(view, where);
  // In this order, because each cursor is at most the next one.
  ring_rest rest;
  rest.freed = close(view, where.freed(view));
  rest.head = close(view, where.head(view));
  rest.ready = close(view, where.ready(view));
  rest.tail = std::min(close(view, where.tail(view)), rest.freed + where.capacity);
  const auto full_at =
      rma::load_word<std::uint64_t>(view.fabric().local(where.full_at(view).place().address()));
  if (full_at != 0) rest.tail = full_at;
  return rest;
}

void copy_slots(const world& view, const ring& where, std::uint64_t pos, std::uint64_t end,
                std::byte* to) {
  const std::byte* const slots = view.fabric().local(where.slots);
  for (; pos < end; ++pos, to += where.slot_bytes) {
    fabric::copy_bytes(to, slots + pos % where.capacity * where.slot_bytes, where.slot_bytes);
  }
}

}  // namespace far::containers
