#pragma once
// A lock for one writer or many readers, as MPI-3 libraries build it from one-sided operations.

#include <cstdint>

#include "bench/baselines/retries.hpp"
#include "far/far.hpp"

namespace far::bench {

/// What MPI_Win_lock of one rank's window does in foMPI, which has a *global* word at the master,
/// rank 0, and a *local* word at each rank:
///
/// - A reader adds 1 to the readers in the home's local word. If it finds a writer there, it polls
///   the word with gets until the writer has gone, and stays counted meanwhile. To unlock it
///   subtracts 1, and does not wait for that.
/// - A writer first adds 1 to the writers in the global word; there it would see ranks that have
///   locked all windows. Then it changes the local word from 0 to its name by a compare-and-swap.
///   If that fails it subtracts 1 from the global word, and starts again. To unlock it subtracts
///   its name from the local word, because readers may have come, and 1 from the global word, and
///   does not wait for the latter.
///
/// Here no rank locks all windows. So the global word keeps no writer out, but it costs the same as
/// in foMPI. back_off::none is the published protocol: tries follow each other without a pause.
/// back_off::best, which the authors allow for, waits between tries (retries.hpp), and a writer
/// reads the local word by a get before it tries again: one get saves three atomics.
///
/// Fairness: none. Waiting readers keep the next writer out.
/// Threads: the rank's own. The constructor and the destructor are collective.
/// Source: R. Gerstenberger, M. Besta, T. Hoefler, Enabling highly-scalable remote memory access
///   programming with MPI-3 One Sided, SC 2013, section 2.3, and foMPI's code where the text leaves
///   it open: that readers stay counted, and which operations are waited for. Different: the local
///   word names the writer, and not only says that there is one.
/// Checked by: polled_locks_test.exclude_others, polled_locks_test.readers_see_no_writer
class mpi_rw_lock {
 public:
  /// `home`: the rank whose window would be locked.
  explicit mpi_rw_lock(const world& world, int home = 0, back_off how = back_off::best)
      : words_(world, 2),
        local_(world, words_.at(home)),
        global_(world, words_.at(master) + 1),
        name_((static_cast<std::uint64_t>(world.rank()) + 1) << writer_shift),
        tries_(world, how) {}

  /// Cost: free A_fetch_add + A_cas; else these and an A_add for each try.
  void lock() {
    if (try_once()) return;
    tries_.begin();
    do tries_.wait(local_.place());
    while ((tries_.how() == back_off::best && local_.load() != 0) || !try_once());
  }
  /// Cost: A_add, and the start of another.
  void unlock() {
    local_.add(0 - name_);
    subtract_later(global_);
  }

  /// Cost: no writer A_fetch_add; else a get for each look.
  void lock_shared() {
    if (!has_writer(local_.fetch_add(1))) return;
    tries_.begin();
    do tries_.wait(local_.place());
    while (has_writer(local_.load()));
  }
  /// Does not wait until the unlock takes effect; a flush does. Cost: the start of an A_add.
  void unlock_shared() { subtract_later(local_); }

 private:
  static constexpr int master = 0;
  static constexpr int writer_shift = 32;

  static bool has_writer(std::uint64_t local) noexcept { return local >> writer_shift != 0; }
  static void subtract_later(const atomic_ref<std::uint64_t>& word) {
    (void)word.add_async(0 - std::uint64_t{1});
  }
  [[nodiscard]] bool try_once() {
    (void)global_.fetch_add(1);
    std::uint64_t seen = 0;
    if (local_.compare_exchange(seen, name_)) return true;
    global_.add(0 - std::uint64_t{1});
    return false;
  }

  polled_words words_;
  atomic_ref<std::uint64_t> local_;   // the number of readers, and above it the writer's name
  atomic_ref<std::uint64_t> global_;  // the number of writers that hold or try
  std::uint64_t name_;
  retries tries_;
};

}  // namespace far::bench
