#pragma once
// The simplest lock for all ranks: one word that each rank polls until it gets it.

#include <cstdint>

#include "bench/baselines/retries.hpp"
#include "far/far.hpp"

namespace far::bench {

/// A lock for all ranks that is one word at a home. To lock, a rank tries to change the word from 0
/// to its name by a compare-and-swap until that succeeds; to unlock, it subtracts its name.
///
/// back_off::none is the published protocol, foMPI-Spin: tries follow each other without a pause.
/// back_off::best waits between tries (retries.hpp) and reads the word by a get before the next
/// compare-and-swap. Network interfaces perform the atomics on one word one after the other, so
/// tries that must fail delay the unlock; a get is a plain read, and on shared memory leaves the
/// cache line where it is.
///
/// Threads: the rank's own. The constructor and the destructor are collective.
/// Source: the spin lock of foMPI, with which P. Schmid, M. Besta, T. Hoefler, High-performance
///   distributed RMA locks, 2016, section 5, compare theirs. They do not print it; this is the
///   protocol that the name stands for. Different: the word names its holder.
/// Checked by: polled_locks_test.exclude_others
class spin_lock {
 public:
  explicit spin_lock(const world& world, int home = 0, back_off how = back_off::best)
      : words_(world, 1),
        word_(world, words_.at(home)),
        name_(static_cast<std::uint64_t>(world.rank()) + 1),
        tries_(world, how) {}

  /// Cost: free A_cas; else another for each try.
  void lock() {
    if (try_once()) return;
    tries_.begin();
    do tries_.wait(word_.place());
    while ((tries_.how() == back_off::best && word_.load() != 0) || !try_once());
  }
  /// Cost: A_add.
  void unlock() { word_.add(0 - name_); }

 private:
  [[nodiscard]] bool try_once() {
    std::uint64_t seen = 0;
    return word_.compare_exchange(seen, name_);
  }

  polled_words words_;
  atomic_ref<std::uint64_t> word_;
  std::uint64_t name_;
  retries tries_;
};

}  // namespace far::bench
