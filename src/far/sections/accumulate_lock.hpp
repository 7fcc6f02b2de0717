#pragma once
// The lock of a rank's memory for accumulates: one for each rank, at a fixed place of its symmetric
// segment. Accumulates by the origin hold it, and those that the owner's lane performs.
//
// The word at 8: bits 0 .. 31: the rank that holds it, + 1; 0: no rank. Bits 32 .. 62: how many
// wait in line. Bit 63: the owner's lane waits, or, if no rank holds the lock, the lane holds it.
// The words at 16 and 24: the first address and the bytes that the holder is changing; meaningful
// while a rank holds the lock. The word at 32: the tail of the line (sync/line.hpp).
//
//     free      --(rank: compare-and-swap)-->  rank          --(rank: subtract its name)-->  free
//     free      --(lane: or bit 63)--------->  lane          --(lane: and not bit 63)------>  free
//     rank      --(lane: or bit 63)--------->  rank, waits   --(rank: subtract its name)-->  lane
//
// A rank that does not get the lock at once stands in line. It adds itself to the word's count;
// then a rank that comes later cannot take the lock before it, because that swaps the whole word
// from 0. The first in line takes the lock when no rank and not the lane holds it; in the same step
// it leaves the count. Then it lets the next be first. So each rank in line waits for those before
// it, and for the lane; and only the first looks at the lock.
//
// Invariants: only a holder leaves a state in which there is one; only the first in line changes
// the word from 0 holders to 1 while any wait; the lane has at most one request, so bit 63 is set
// at most once until the lane clears it. In the last transition the lane becomes the holder without
// an action of its own; the rank that has unlocked tells it by a message. So the lane never polls,
// and a task never waits.
//
// When a rank dies, its lock stays locked and names it: waiting ranks get rank_failed, as in all
// calls that wait. The owner may repair it (release_accumulate).

#include <cstdint>

#include "far/fabric/address.hpp"
#include "far/memory/ptr.hpp"
#include "far/memory/reserved.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/world/world.hpp"

namespace far::sections {

inline constexpr std::uint64_t lane_bit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t one_in_line = std::uint64_t{1} << 32;
/// The rank that holds the lock, + 1, or 0, in the lock's word.
[[nodiscard]] constexpr std::uint64_t holder_of(std::uint64_t word) noexcept {
  return word & (one_in_line - 1);
}

/// The words of the lock of `owner`'s memory.
struct accumulate_words {
  explicit accumulate_words(int owner) noexcept
      : lock(memory::reserved_word(owner, 8)),
        first(memory::reserved_word(owner, 16)),
        bytes(memory::reserved_word(owner, 24)),
        line(memory::reserved_word(owner, 32)) {}

  ptr<std::uint64_t> lock;
  ptr<std::uint64_t> first;
  ptr<std::uint64_t> bytes;
  ptr<std::uint64_t> line;
};

/// An origin's use of the lock. Not for tasks, except try_lock and unlock where instructions reach
/// the word.
class accumulate_lock {
 public:
  accumulate_lock(const world& world, int owner) noexcept
      : world_(world), words_(owner), word_(world, words_.lock) {}

  /// Waits for the lock, after those that have come before; makes progress meanwhile.
  /// Errors: rank_failed, also when the holder dies.
  void lock();
  /// Fails also while ranks wait.
  [[nodiscard]] bool try_lock();
  /// Tells who repairs the lock what this rank is about to change.
  void announce(fabric::address first, std::uint64_t bytes);
  /// Gives the lock to the owner's lane if that waits. In a job that has failed it throws nothing
  /// and, once this rank knows, keeps the lock.
  void unlock();

 private:
  void stand_in_line();
  [[nodiscard]] std::uint64_t name() const noexcept {
    return static_cast<std::uint64_t>(world_.rank()) + 1;
  }

  const world& world_;
  accumulate_words words_;
  atomic_ref<std::uint64_t> word_;
};

}  // namespace far::sections
