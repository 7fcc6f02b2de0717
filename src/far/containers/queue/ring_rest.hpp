#pragma once
// What is left in a ring after a rank has died: for the host, which may save it.
//
// Closing a ring sets a high bit in its cursors freed, head, ready and tail, in this order, each by
// one atomic operation. Other ranks may not know of the failure yet, and continue. From then on
//
// 1. no claim succeeds: a fetch-and-add of tail or head returns a position above all slots and
//    values, and the claim is given back;
// 2. no earlier claim is settled: ready and freed move by compare-and-swap from a position, which
//    they no longer hold. An operation that tries waits until its rank learns of the failure.
//
// So, at any later time,
//
//   positions      | hold
//   ---------------+--------------------------------------------------------------------------
//   [freed, ready) | values that were pushed whole. A pop returns after it has moved freed, so no
//                  | pop has returned or will return any of these. (Values below freed are lost if
//                  | the failure throws their pop out before it returns.) No rank writes there: a
//                  | push in those slots would end beyond freed + capacity.
//   [freed, head)  | the first of them: claimed by pops that did not complete. In a phase of pops,
//                  | where freed moves at the end only, these may have been returned.
//   [ready, tail)  | claimed by pushes that did not complete: written whole, in part or not at all,
//                  | and some rank may still be writing there. In a phase of pushes, where ready
//                  | moves at the end only, these pushes may have returned. Nothing was written
//                  | from freed + capacity on, or from full_at on (ring_phase.hpp).
//
// If checksums say what is whole (checksum_user.hpp), this holds for [freed, tail): the whole slots
// are values, and the others were claimed by pushes that did not complete.
//
// The words do not name the rank that made a claim: claims are sums, and a name would take another
// operation (docs/queue.md).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/base/raw_object.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far {

/// What close() of a queue has found.
template <class T>
struct queue_rest {
  /// Values that were pushed whole and not popped; the oldest first.
  std::vector<T> values;
  /// How many of the first values were claimed by pops that did not complete. Pops
  /// outside phases have not returned them, and will not; those of an interrupted `reading()` phase
  /// may have.
  std::size_t popping = 0;
  /// How many slots were claimed by pushes that did not complete.
  std::size_t pushing = 0;
  /// The contents of these slots, in order: values that are whole, half written, or older. Pushes
  /// outside phases have not returned; those of an interrupted `writing()` phase may have.
  /// Empty for a checksum_queue, whose `values` has all values that are whole.
  std::vector<T> doubtful;
};

namespace containers {

/// Positions in a closed ring.
struct ring_rest {
  std::uint64_t freed = 0;
  std::uint64_t head = 0;   ///< may be beyond ready
  std::uint64_t ready = 0;  ///< 0 for a ring with checksums
  std::uint64_t tail = 0;   ///< end of the slots that pushes may have written
};

/// Closes the ring; has no effect on a closed one. At the host, by its processor's atomics: none of
/// a network interface may be in flight. Does not communicate.
/// Errors: bad_argument in a job that has not failed, and on other ranks.
[[nodiscard]] ring_rest close_ring(const world& world, const ring& where);

/// Copies slots [pos, end) at the host, from its own memory. Other ranks may write there meanwhile.
void copy_slots(const world& world, const ring& where, std::uint64_t pos, std::uint64_t end,
                std::byte* to);

template <class T>
[[nodiscard]] std::vector<T> values_between(const world& world, const ring& where,
                                            std::uint64_t pos, std::uint64_t end) {
  std::vector<base::raw_object<T>> slots(end - pos);
  copy_slots(world, where, pos, end, reinterpret_cast<std::byte*>(slots.data()));
  std::vector<T> values;
  values.reserve(slots.size());
  for (const base::raw_object<T>& slot : slots) values.push_back(slot.value());
  return values;
}

/// For a ring of values, without checksums.
template <class T>
[[nodiscard]] queue_rest<T> rest_of(const world& world, const ring& where) {
  const ring_rest at = close_ring(world, where);
  queue_rest<T> rest;
  rest.values = values_between<T>(world, where, at.freed, at.ready);
  rest.popping = below(at.head, at.freed, rest.values.size());
  rest.doubtful = values_between<T>(world, where, at.ready, at.tail);
  rest.pushing = rest.doubtful.size();
  return rest;
}

}  // namespace containers
}  // namespace far
