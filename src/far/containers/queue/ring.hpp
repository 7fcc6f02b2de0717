#pragma once
// A ring of slots at one rank, its host, and the four cursors that say how far it is written and
// read. far::queue is made of it. It holds bytes only; the queue interprets the slots.
//
// A position counts slots from the queue's first one on; it only grows and is never reused.
// Position p is in lap p / capacity, at index p % capacity. At all times
//
//   freed <= head and ready <= tail, freed <= ready <= freed + capacity
//
//   positions      | belong to
//   ---------------+--------------------------------------------------------------------------
//   [0, freed)     | no rank: they have been read
//   [freed, head)  | the pops that have claimed them; those at ready or beyond are too early
//   [head, ready)  | the queue: its values, the oldest first
//   [ready, tail)  | the pushes that have claimed them; those beyond freed + capacity are too early
//
// 1. Claims. tail and head grow by fetch-and-add, so the claims of pushes follow each other without
//    gaps, and so do those of pops.
// 2. A push writes its slots once it has seen that its claim ends at freed + capacity or below. A
//    pop reads its slots once it has seen that its claim ends at ready or below. Those cursors
//    never decrease, so an old value of them is safe, and views cache the last that they saw.
// 3. A claim that is too early is given back by a compare-and-swap of tail (head) from its end to
//    its begin. That succeeds for the last claim only, so it leaves no gap. Claims do not overlap,
//    so no other claim has the same end, and the swap never removes another claim. A claim with
//    others behind it stays until those are given back, or until it is in time; they cannot be in
//    time before it is.
// 4. ready and freed move over a claim by a compare-and-swap from its begin to its end, or to the
//    end of another behind it: in the order of the claims, after their transfers are complete. The
//    rank that made the transfer does this. If its turn has not come, it leaves a note, and then
//    any rank may do it (ring_turn.hpp); for transfers that the host made for callers, the host
//    may. Transfers block, so a rank that has seen the cursor also sees what was transferred
//    (axiom 5 of docs/memory_model.md), and no flush is needed between.
// 5. An operation that holds a claim waits only for calls in flight: for an earlier claim to be
//    settled, or for a later one to be given back. Blocking forms wait without a claim.
//
// A push linearizes when ready passes its values, a pop when it has its claim and ready has passed
// that; so values leave in order. "Full" and "empty" look at claims, and so count calls in flight
// as done: see far::queue.
//
// Failure: a rank that dies between claiming and settling leaves ready < tail or freed < head for
// ever. Ranks that wait for that get rank_failed from the fabric. The host can then close the ring
// and save what is left in it (ring_rest.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "far/containers/phase.hpp"
#include "far/containers/queue/ring_turn.hpp"
#include "far/memory/allocate.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Initially zero. Each cursor has its own cache line, so pushes and pops do not share one falsely.
struct ring_cursors {
  alignas(64) std::uint64_t tail = 0;   ///< pushes have claimed the positions below
  alignas(64) std::uint64_t ready = 0;  ///< pushes have written the positions below
  std::uint64_t full_at = 0;            ///< for phases of pushes (ring_phase.hpp)
  alignas(64) std::uint64_t head = 0;   ///< pops have claimed the positions below
  alignas(64) std::uint64_t freed = 0;  ///< pops have read the positions below
  // Notes of claims whose turn has not come (ring_turn.hpp).
  alignas(64) std::uint64_t written[ring_notes] = {};  ///< by pushes
  alignas(64) std::uint64_t read[ring_notes] = {};     ///< by pops
};
static_assert(sizeof(ring_cursors) == 256 + 16 * ring_notes &&
              std::is_trivially_copyable_v<ring_cursors>);

/// Set in each of the four cursors of a closed ring, above all positions (ring_rest.hpp).
inline constexpr std::uint64_t ring_closed = std::uint64_t{1} << 63;
[[nodiscard]] constexpr std::uint64_t position_of(std::uint64_t cursor) noexcept {
  return cursor & ~ring_closed;
}

/// Where a ring is. The same on every rank; sent in messages.
struct ring {
  ptr<ring_cursors> cursors;  ///< at the host
  fabric::address slots;      ///< at the host
  std::uint64_t capacity = 0;
  std::uint64_t slot_bytes = 0;

  [[nodiscard]] int host() const noexcept { return cursors.rank(); }
  [[nodiscard]] auto tail(const world& world) const { return cursor(world, 0); }
  [[nodiscard]] auto ready(const world& world) const { return cursor(world, 1); }
  [[nodiscard]] auto head(const world& world) const { return cursor(world, 2); }
  [[nodiscard]] auto freed(const world& world) const { return cursor(world, 3); }
  [[nodiscard]] auto full_at(const world& world) const { return cursor(world, 1, 1); }
  /// How claims of pushes, or pops, are settled.
  [[nodiscard]] ring_turn pushes(const world& world) const {
    return {world, ready(world), word(4)};
  }
  [[nodiscard]] ring_turn pops(const world& world) const {
    return {world, freed(world), word(4) + static_cast<std::int64_t>(ring_notes)};
  }

 private:
  [[nodiscard]] ptr<std::uint64_t> word(int line, int index = 0) const {
    constexpr int words_apart = 64 / sizeof(std::uint64_t);
    return reinterpret_pointer_cast<std::uint64_t>(cursors) + line * words_apart + index;
  }
  [[nodiscard]] atomic_ref<std::uint64_t> cursor(const world& world, int line,
                                                 int index = 0) const {
    return {world, word(line, index)};
  }
};
static_assert(sizeof(ring) == 32 && std::is_trivially_copyable_v<ring>);

/// Slots [pos, pos + n), n <= capacity, as one or two contiguous pieces, paired with the caller's
/// bytes. Part is put_part or get_part.
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

/// Throws bad_argument if n exceeds the number of slots.
void check_fits(const ring& where, std::uint64_t n);

/// A ring's memory, as each rank of the job holds it: allocates and frees it collectively.
class owned_ring {
 public:
  /// Collective: `capacity` slots of `slot_bytes`, aligned to `slot_alignment`, at `host`. `type`
  /// says what they hold. All ranks pass the same arguments.
  /// Errors: bad_argument; out_of_memory, on every rank; rank_failed.
  owned_ring(const far::world& world, int host, std::uint64_t capacity, std::uint64_t slot_bytes,
             std::uint64_t slot_alignment, amo_domain domain, const char* type);
  /// Collective: waits until every rank is here, unless an exception destroys the object.
  ~owned_ring();
  owned_ring(const owned_ring&) = delete;
  owned_ring& operator=(const owned_ring&) = delete;

  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  [[nodiscard]] const ring& operator*() const noexcept { return ring_; }
  [[nodiscard]] const ring* operator->() const noexcept { return &ring_; }
  [[nodiscard]] phase_record& phase() const noexcept { return phase_; }

 private:
  far::world world_;
  ring ring_;
  mutable phase_record phase_;
  collective_scope scope_;
};

}  // namespace far::containers
