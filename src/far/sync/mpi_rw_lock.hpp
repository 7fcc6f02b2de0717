#pragma once
// A lock for one writer or many readers, as MPI-3 libraries build it from one-sided operations.

#include <chrono>
#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/sync/back_off.hpp"
#include "far/sync/lock_words.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of an mpi_rw_lock. Lockable, TimedLockable, SharedLockable and
/// SharedTimedLockable, so std::unique_lock, std::shared_lock and std::scoped_lock work on it.
///
/// Completion: what a writer put before it unlocked, and waited for, is visible to the next holder;
///   what a reader got before it unlocked was there before the next writer.
/// Fairness: none. Writers may wait forever while readers, or other writers, come and go. Waiting
///   readers keep the next writer out.
/// Progress: a waiting thread retries at the home, and makes progress between tries.
/// Threads: belongs to the thread of its world.
/// Errors: as spin_lock_view. In debug builds also bad_argument if a thread that shares the lock
///   locks it.
/// Checked by: mpi_rw_lock_test.readers_see_no_writer, mpi_rw_lock_history_test.is_linearizable
/// Checked by: mpi_rw_lock_test.deaths_are_told
class mpi_rw_lock_view {
 public:
  mpi_rw_lock_view(const world& view, ptr<std::uint64_t> local, ptr<std::uint64_t> global,
                   sync::retrying_use& use, back_off how) noexcept
      : view_(view), local_(local), global_(global), use_(&use), how_(how) {}

  /// Cost: free A_fetch_add + A_cas; else these and an A_add for each try.
  void lock() { (void)enter(fabric::never); }
  /// Cost: A_fetch_add + A_cas; an A_add if it fails.
  /// May fail spuriously while a reader's unlock is in flight.
  [[nodiscard]] bool try_lock() { return enter(0); }
  /// Returns false if the time has passed first.
  /// Checked by: mpi_rw_lock_test.waits_may_end
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(sync::deadline_in(view_, time));
  }
  /// The same, until a time of world::now().
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns) { return enter(deadline_ns); }
  /// Cost: A_add, and the start of another.
  void unlock();

  /// Cost: no writer A_fetch_add; else a get for each look.
  void lock_shared() { (void)enter_shared(fabric::never); }
  /// Cost: A_fetch_add.
  [[nodiscard]] bool try_lock_shared() { return enter_shared(0); }
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_shared_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_shared_until(sync::deadline_in(view_, time));
  }
  [[nodiscard]] bool try_lock_shared_until(std::uint64_t deadline_ns) {
    return enter_shared(deadline_ns);
  }
  /// Does not wait until the unlock takes effect; a flush does.
  /// Cost: the start of an A_add.
  /// Checked by: mpi_rw_lock_test.readers_share
  void unlock_shared();

  /// Whether this thread holds the lock exclusively; whether it shares it.
  [[nodiscard]] bool is_held() const noexcept { return use_->holds; }
  [[nodiscard]] bool is_shared() const noexcept { return use_->shares; }
  /// The rank that currently holds the lock exclusively, or -1.
  /// Cost: a get.
  /// Checked by: mpi_rw_lock_test.names_its_writer
  [[nodiscard]] int writer() const;

 private:
  [[nodiscard]] atomic_ref<std::uint64_t> local() const noexcept { return {view_, local_}; }
  [[nodiscard]] atomic_ref<std::uint64_t> global() const noexcept { return {view_, global_}; }
  [[nodiscard]] std::uint64_t name() const noexcept;
  [[nodiscard]] bool try_once() const;
  [[nodiscard]] bool enter(fabric::deadline_ns deadline);
  [[nodiscard]] bool enter_shared(fabric::deadline_ns deadline);

  world view_;
  ptr<std::uint64_t> local_;   // the number of readers, and above it the writer's rank + 1
  ptr<std::uint64_t> global_;  // the number of writers that hold or try
  sync::retrying_use* use_;
  back_off how_;
};

/// A lock of one writer or many readers for all ranks: the baseline for rw_lock. It is what
/// MPI_Win_lock of one rank's window does in foMPI, which has a *global* word at the master, rank
/// 0, and a *local* word at each rank:
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
/// back_off::best, which the authors allow for, waits between tries (back_off.hpp), and a writer
/// reads the local word by a get before it tries again: one get saves three atomics.
///
/// Used by the rank's own thread; on(view) gives another thread its view. The constructor and the
/// destructor are collective, as those of spin_lock.
///
/// Cost: as spin_lock.
/// Source: R. Gerstenberger, M. Besta, T. Hoefler, Enabling highly-scalable remote memory access
///   programming with MPI-3 One Sided, SC 2013, section 2.3, and foMPI's code where the text leaves
///   it open: that readers stay counted, and which operations are waited for. Different: the local
///   word names the writer, and not only says that there is one.
class mpi_rw_lock : private sync::lock_words, public mpi_rw_lock_view {
 public:
  static constexpr int master = 0;

  /// Collective. `home`: the rank whose window would be locked; the same on all ranks.
  /// Errors: as spin_lock.
  /// Checked by: mpi_rw_lock_test.refuses_what_cannot_be
  explicit mpi_rw_lock(const world& view, int home = 0, back_off how = back_off::best);
  ~mpi_rw_lock() { check_unused(); }

  /// The view of another thread of this rank.
  [[nodiscard]] mpi_rw_lock_view on(const world& view) {
    return {view, words_at(home_), words_at(master) + 1, use_of(view), how_};
  }

 private:
  int home_;
  back_off how_;
};

}  // namespace far
