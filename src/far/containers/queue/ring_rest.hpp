#pragma once
// What is left in a ring when a rank has died: for the host, which may save it.
//
// To close a ring sets a high bit in its cursors, each by one atomic operation: freed, head, ready,
// tail. Other ranks may not have heard of the failure yet, and go on. From then on
//
// 1. no claim succeeds: a fetch-and-add of tail or head gets a position above all that there is
//    room or a value for, and is given back;
// 2. no claim that was made before is settled: ready and freed move by compare-and-swaps from
//    positions, which they no longer are. Who wants to waits until it is told of the failure.
//
// So, at any time after,
//
//   positions      | hold
//   ---------------+--------------------------------------------------------------------------
//   [freed, ready) | values that were pushed whole. A pop returns after it has moved freed, so
//                  | none of these has been, or will be, returned to anybody. (What a pop had
//                  | moved freed over when it was thrown out is gone.) Nobody writes
//                  | there: a push in those slots would end beyond freed + capacity.
//   [freed, head)  | the first of them: what pops had claimed that came to no end. In a phase of
//                  | pops, which move freed at its end only, they may have been returned.
//   [ready, tail)  | what pushes had claimed that came to no end: whole, in part, or not at all
//                  | written, and somebody may be writing there yet. In a phase of pushes, which
//                  | move ready at its end only, pushes of them may have returned. None of it
//                  | from freed + capacity on, or from full_at (ring_phase.hpp).
//
// Where a checksum tells what is whole (checksum_user.hpp), that goes for [freed, tail), and the
// rest was claimed by pushes that came to no end.
//
// The words do not name who has claimed: claims are sums, and a name would have to follow them, in
// an operation of its own (docs/queue.md).

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
  /// Pushed whole, and not popped; the oldest first.
  std::vector<T> values;
  /// So many of the first of them had been claimed by pops that came to no end. Of `concurrent()`
  /// views these have not returned them, and will not; those of a `reading()` phase that the
  /// failure broke off may have.
  std::size_t popping = 0;
  /// So many places had been claimed by pushes that came to no end.
  std::size_t pushing = 0;
  /// What these places hold, in their order: values that are whole, half written, or what was there
  /// before. Pushes of `concurrent()` views have not returned; those of a `writing()` phase that
  /// the failure broke off may have. Of a checksum_queue none: there `values` has all that are
  /// whole.
  std::vector<T> doubtful;
};

namespace containers {

/// Positions in a closed ring.
struct ring_rest {
  std::uint64_t freed = 0;
  std::uint64_t head = 0;   ///< perhaps beyond ready
  std::uint64_t ready = 0;  ///< 0 of a ring with checksums
  std::uint64_t tail = 0;   ///< the end of what pushes may have written
};

/// Closes it; again changes nothing. At the host, by its own atomics: none of an interface's may be
/// under way. Does not communicate.
/// Errors: bad_argument in a job that has not failed, and on other ranks.
[[nodiscard]] ring_rest close_ring(const world& view, const ring& where);

/// Slots [pos, end), from its own memory, at the host. Others may write there meanwhile.
void copy_slots(const world& view, const ring& where, std::uint64_t pos, std::uint64_t end,
                std::byte* to);

template <class T>
[[nodiscard]] std::vector<T> values_between(const world& view, const ring& where, std::uint64_t pos,
                                            std::uint64_t end) {
  std::vector<base::raw_object<T>> slots(end - pos);
  copy_slots(view, where, pos, end, reinterpret_cast<std::byte*>(slots.data()));
  std::vector<T> values;
  values.reserve(slots.size());
  for (const base::raw_object<T>& slot : slots) values.push_back(slot.value());
  return values;
}

/// For a ring of values, without checksums.
template <class T>
[[nodiscard]] queue_rest<T> rest_of(const world& view, const ring& where) {
  const ring_rest at = close_ring(view, where);
  queue_rest<T> rest;
  rest.values = values_between<T>(view, where, at.freed, at.ready);
  rest.popping = below(at.head, at.freed, rest.values.size());
  rest.doubtful = values_between<T>(view, where, at.ready, at.tail);
  rest.pushing = rest.doubtful.size();
  return rest;
}

}  // namespace containers
}  // namespace far
