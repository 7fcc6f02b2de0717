#pragma once
// A ring of slots at one rank, its host, and the four cursors that tell how far it is written and
// read: what far::queue is made of. Bytes only; what a slot holds is the queue's business.
//
// A position counts slots from the queue's first on; it only grows, and never comes back. Position
// p is in lap p / capacity, at index p % capacity. At all times
//
//   freed <= head and ready <= tail, freed <= ready <= freed + capacity
//
//   positions      | belong to
//   ---------------+--------------------------------------------------------------------------
//   [0, freed)     | nobody: they have been read
//   [freed, head)  | the pops that have claimed them; those at ready or beyond come too early
//   [head, ready)  | the queue: its values, the oldest first
//   [ready, tail)  | the pushes that have claimed them, beyond freed + capacity too early
//
// 1. Claims. tail and head grow by fetch-and-add, so the claims of pushes lie one behind another
//    without a gap, and those of pops too.
// 2. A push writes its slots once it has seen its claim end at freed + capacity or below, a pop
//    reads its slots once it has seen it end at ready or below. Those cursors never go back, so an
//    old value of them is a safe one, and views keep the last they saw.
// 3. A claim that came too early is given back by a compare-and-swap of tail (head) from its end
//    to its begin: it succeeds for the last claim only, so no gap is made. That end is nobody
//    else's, because claims do not overlap: the swap never takes another's claim back. A claim
//    with others behind it stays until those were given back, or it is no longer too early; they
//    cannot be in time unless it is.
// 4. ready and freed move over a claim by a compare-and-swap from its begin to its end, or to that
//    of another behind it: in the order of the claims, and when their transfers are complete.
//    Who has made the transfer does so, or the host, of those that it has made for callers.
//    Transfers block, so who has seen the cursor finds what was transferred (axiom 5 of
//    docs/memory_model.md), and no flush is needed between.
// 5. Nobody waits with a claim for anything but calls under way: for a claim before its own to be
//    settled, or for one behind it to be given back. Blocking forms wait without a claim.
//
// A push takes place when ready passes it, a pop when it has its claim and ready has passed that;
// so values leave in their order. The answers "full" and "empty" look at claims, and so count
// calls under way as done: see far::queue.
//
// Failure: a rank that dies between a claim and its end leaves ready < tail or freed < head for
// ever. Who waits for that is told by the fabric (rank_failed). The host can close the ring then,
// and save what is left in it (ring_rest.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "far/containers/promise.hpp"
#include "far/memory/allocate.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Zero at first. A cache line each: pushes and pops meet on none.
struct ring_cursors {
  alignas(64) std::uint64_t tail = 0;   ///< pushes have claimed the positions below
  alignas(64) std::uint64_t ready = 0;  ///< pushes have written the positions below
  std::uint64_t full_at = 0;            ///< for phases of pushes (ring_phase.hpp)
  alignas(64) std::uint64_t head = 0;   ///< pops have claimed the positions below
  alignas(64) std::uint64_t freed = 0;  ///< pops have read the positions below
};
static_assert(sizeof(ring_cursors) == 256 && std::is_trivially_copyable_v<ring_cursors>);

/// Set in each of the four cursors of a closed ring, above all positions (ring_rest.hpp).
inline constexpr std::uint64_t ring_closed = std::uint64_t{1} << 63;
[[nodiscard]] constexpr std::uint64_t position_of(std::uint64_t cursor) noexcept {
  return cursor & ~ring_closed;
}

/// Where a ring is. The same on every rank; travels in messages.
struct ring {
  ptr<ring_cursors> cursors;  ///< at the host
  fabric::address slots;      ///< at the host
  std::uint64_t capacity = 0;
  std::uint64_t slot_bytes = 0;

  [[nodiscard]] int host() const noexcept { return cursors.rank(); }
  [[nodiscard]] auto tail(const world& view) const { return cursor(view, 0); }
  [[nodiscard]] auto ready(const world& view) const { return cursor(view, 1); }
  [[nodiscard]] auto head(const world& view) const { return cursor(view, 2); }
  [[nodiscard]] auto freed(const world& view) const { return cursor(view, 3); }
  [[nodiscard]] auto full_at(const world& view) const { return cursor(view, 1, 1); }

 private:
  [[nodiscard]] atomic_ref<std::uint64_t> cursor(const world& view, int line, int word = 0) const {
    constexpr int words_apart = 64 / sizeof(std::uint64_t);
    return {view, reinterpret_pointer_cast<std::uint64_t>(cursors) + line * words_apart + word};
  }
};
static_assert(sizeof(ring) == 32 && std::is_trivially_copyable_v<ring>);

/// Slots [pos, pos + n), n <= capacity, as the one or two pieces that they are, beside as many
/// bytes of the caller's. Part is put_part or get_part.
template <class Part>
class ring_parts {
 public:
  template <class Byte>
  ring_parts(const ring& where, std::uint64_t pos, Byte* values, std::uint64_t n) {
    const std::uint64_t index = pos % where.capacity;
    const std::uint64_t first = std::min(n, where.capacity - index) * where.slot_bytes;
    const std::uint64_t rest = n * where.slot_bytes - first;
    parts_[0] = {where.slots + static_cast<std::int64_t>(index * where.slot_bytes), values, first};
    parts_[1] = {where.slots, values + first, rest};
    count_ = rest == 0 ? 1 : 2;
  }
  [[nodiscard]] std::span<const Part> all() const noexcept { return {parts_.data(), count_}; }

 private:
  std::array<Part, 2> parts_;
  std::size_t count_;
};

/// How many of n slots from pos on lie below `bound`.
[[nodiscard]] constexpr std::uint64_t below(std::uint64_t bound, std::uint64_t pos,
                                            std::uint64_t n) noexcept {
  return bound <= pos ? 0 : std::min(n, bound - pos);
}

/// Throws bad_argument for more values at once than there are slots.
void check_fits(const ring& where, std::uint64_t n);

/// A rank's share in the life of a ring.
class owned_ring {
 public:
  /// Collective: `capacity` slots of `slot_bytes`, aligned to `slot_alignment`, at `host`. `type`
  /// says what they hold. All ranks ask for the same.
  /// Errors: bad_argument; out_of_memory, on every rank; rank_failed.
  owned_ring(const world& view, int host, std::uint64_t capacity, std::uint64_t slot_bytes,
             std::uint64_t slot_alignment, amo_domain domain, const char* type);
  /// Collective: waits until every rank is here. Does not while an exception is on its way.
  ~owned_ring();
  owned_ring(const owned_ring&) = delete;
  owned_ring& operator=(const owned_ring&) = delete;

  [[nodiscard]] const world& view() const noexcept { return view_; }
  [[nodiscard]] const ring& operator*() const noexcept { return ring_; }
  [[nodiscard]] const ring* operator->() const noexcept { return &ring_; }
  [[nodiscard]] phase_record& phase() const noexcept { return phase_; }

 private:
  world view_;
  ring ring_;
  mutable phase_record phase_;
  collective_scope scope_;
};

}  // namespace far::containers
