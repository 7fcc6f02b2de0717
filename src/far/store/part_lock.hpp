#pragma once
// The lock of a part: who changes it holds it, whichever rank of the machine it is. A word at the
// part that names the holder. It is taken by tries, and has a line in which the others stand
// (sync/line.hpp); the first in line marks the word after a few looks, and then who is not in line
// does not take it. So nobody waits for more than a few turns of each before it.
//
// Handlers must not wait. They try, and answer that the part is busy; their callers come again.

#include <atomic>
#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/rma/direct.hpp"
#include "far/world/world.hpp"

namespace far::stores {

class part_lock {
 public:
  /// `word`: of a part that instructions reach, initially 0.
  part_lock(const fabric::fabric& rank, std::uint64_t& word) noexcept
      : fabric_(&rank),
        word_(reinterpret_cast<std::byte*>(&word)),
        mine_((static_cast<std::uint64_t>(rank.rank()) + 1) << 1) {}

  /// Waits. `line`: a word of the part. Errors: rank_failed.
  void lock(const world& world, ptr<std::uint64_t> line) const {
    std::uint64_t expected = 0;
    if (!compare_exchange(expected, mine_)) [[unlikely]]
      wait(world, line);
  }
  [[nodiscard]] bool try_lock() const noexcept {
    std::uint64_t seen = 0;
    while (!compare_exchange(seen, mine_ | (seen & wanted))) {
      if ((seen & ~wanted) != 0) return false;
    }
    return true;
  }
  /// Keeps it held if the job has failed: others must not see what may be half done.
  void unlock() const noexcept {
    if (fabric_->knows_failure()) [[unlikely]]
      return;
    rma::atomic_word<std::uint64_t>(word_).fetch_sub(mine_, std::memory_order_acq_rel);
  }

 private:
  static constexpr std::uint64_t wanted = 1;  ///< the first in line waits

  bool compare_exchange(std::uint64_t& expected, std::uint64_t desired) const noexcept {
    return rma::atomic_word<std::uint64_t>(word_).compare_exchange_strong(
        expected, desired, std::memory_order_acq_rel, std::memory_order_acquire);
  }
  /// Tries for a short time.
  [[nodiscard]] bool look(bool is_first) const noexcept;
  void wait(const world& world, ptr<std::uint64_t> line) const;

  const fabric::fabric* fabric_;
  std::byte* word_;
  std::uint64_t mine_;
};

}  // namespace far::stores
