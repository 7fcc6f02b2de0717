#pragma once
// How the claims of one side of a ring are settled: in their order, and by whichever rank is there
// (ring.hpp, 4).
//
// The claim that begins at the cursor has its turn: its rank moves the cursor to the claim's end.
// All others would have to wait for that rank, even while it sleeps, and then for each other. So a
// rank whose turn has not come leaves a note: "the claim that begins at p is transferred, and ends
// at e". Whoever moves the cursor to p may then move it on to e, over all claims that follow each
// other and have notes. So a rank waits only for transfers that others are still making, and never
// because another rank has not noticed that its own turn has come.
//
// 1. The note of p is the word p % ring_notes of its side. It holds e.
// 2. It is written after the claim's transfer, by a rank that keeps the claim; and the cursor
//    passes p only after that. So a note at p is true, and no note of p is written later.
// 3. Only claims of at most ring_notes positions leave notes. A word that was written for another
//    position p - k ring_notes, k > 0, then holds at most p, and one for p + k ring_notes more than
//    p + ring_notes. So a word w is a note of p if and only if p < w <= p + ring_notes, and nobody
//    has to clear it.
// 4. Notes are only help. If a later one takes a note's word, or a claim is too long for one, its
//    rank moves the cursor itself when its turn has come.

#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Notes of each side of a ring, in a power of two of words.
inline constexpr std::uint64_t ring_notes = 64;

/// One side of a ring. Belongs to one thread.
class ring_turn {
 public:
  /// `cursor`: ready or freed; `notes`: the words of that side.
  ring_turn(const world& world, const atomic_ref<std::uint64_t>& cursor, ptr<std::uint64_t> notes)
      : world_(world), cursor_(cursor), notes_(notes) {}

  /// The claim [pos, end) has been transferred: waits until the cursor is at `end` or beyond. In a
  /// closed ring it never is, and the wait throws when the failure is known.
  /// Cost: A_cas if it is this claim's turn.
  void settle(std::uint64_t pos, std::uint64_t end) const {
    std::uint64_t seen = pos;
    if (!cursor_.compare_exchange(seen, end)) [[unlikely]]
      follow(pos, end, seen);
  }

 private:
  void follow(std::uint64_t pos, std::uint64_t end, std::uint64_t seen) const;
  [[nodiscard]] std::uint64_t end_of_notes(std::uint64_t pos) const;
  [[nodiscard]] ptr<std::uint64_t> note(std::uint64_t pos) const noexcept {
    return notes_ + static_cast<std::int64_t>(pos % ring_notes);
  }

  const world& world_;
  atomic_ref<std::uint64_t> cursor_;
  ptr<std::uint64_t> notes_;
};

}  // namespace far::containers
