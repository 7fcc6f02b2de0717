#pragma once
// The simplest lock for all ranks: one word that each thread polls until it gets it.

#include <chrono>
#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/sync/back_off.hpp"
#include "far/sync/lock_words.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of a spin_lock. Lockable and TimedLockable, so std::unique_lock and
/// std::scoped_lock work on it.
///
/// Completion: what the last holder put before it unlocked, and waited for, is visible to the next.
/// Fairness: none. A thread may wait forever while others come and go.
/// Progress: a waiting thread retries at the home, and makes progress between tries.
/// Threads: belongs to the thread of its world.
/// Errors: rank_failed where it waits, also when the holder dies. unlock throws nothing: in a job
///   that has failed, the next call reports it. In debug builds bad_argument if a thread locks what
///   it holds, or unlocks what it does not hold.
/// Checked by: spin_lock_test.excludes_others, spin_lock_history_test.is_linearizable
/// Checked by: spin_lock_test.deaths_are_told
class spin_lock_view {
 public:
  spin_lock_view(const world& view, ptr<std::uint64_t> word, sync::retrying_use& use,
                 back_off how) noexcept
      : view_(view), word_(word), use_(&use), how_(how) {}

  /// Cost: free A_cas; else another for each try.
  void lock() { (void)enter(fabric::never); }
  /// Cost: A_cas.
  [[nodiscard]] bool try_lock() { return enter(0); }
  /// Returns false if the time has passed first.
  /// Checked by: spin_lock_test.waits_may_end
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(sync::deadline_in(view_, time));
  }
  /// The same, until a time of world::now().
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns) { return enter(deadline_ns); }
  /// Cost: A_add.
  void unlock();

  /// Whether this thread holds the lock.
  [[nodiscard]] bool is_held() const noexcept { return use_->holds; }
  /// The rank that currently holds the lock, or -1.
  /// Cost: a get.
  /// Checked by: spin_lock_test.names_its_holder
  [[nodiscard]] int holder() const { return static_cast<int>(word().load()) - 1; }

 private:
  [[nodiscard]] atomic_ref<std::uint64_t> word() const noexcept { return {view_, word_}; }
  [[nodiscard]] std::uint64_t name() const noexcept {
    return static_cast<std::uint64_t>(view_.rank()) + 1;
  }
  [[nodiscard]] bool try_once() const;
  [[nodiscard]] bool enter(fabric::deadline_ns deadline);

  world view_;
  ptr<std::uint64_t> word_;  // 0, or the holder's rank + 1
  sync::retrying_use* use_;
  back_off how_;
};

/// A lock for all ranks that is one word at a home: the baseline for mcs_lock and topology_lock. To
/// lock, a thread tries to change the word from 0 to its name by a compare-and-swap until that
/// succeeds; to unlock, it subtracts its name.
///
/// back_off::none is the published protocol, foMPI-Spin: tries follow each other without a pause.
/// back_off::best waits between tries (back_off.hpp) and reads the word by a get before the next
/// compare-and-swap. Network interfaces perform the atomics on one word one after the other, so
/// tries that must fail delay the unlock; a get is a plain read, and on shared memory leaves the
/// cache line where it is.
///
/// Used by the rank's own thread; on(view) gives another thread its view. The constructor and the
/// destructor are collective. As with other distributed objects, the destructor does not wait for
/// other ranks while an exception is in flight.
///
/// Cost: a cache line of each rank's symmetric heap, and one of ordinary memory for each context.
/// Ownership: destroy views before the lock. In debug builds, destroying a lock that this rank
///   holds ends the program.
/// Source: the spin lock of foMPI, with which P. Schmid, M. Besta, T. Hoefler, High-performance
///   distributed RMA locks, 2016, section 5, compare theirs. They do not print it; this is the
///   protocol that the name stands for. Different: the word names its holder, and not only says
///   that there is one.
class spin_lock : private sync::lock_words, public spin_lock_view {
 public:
  /// Collective. `home`: the rank that keeps the word; the same on all ranks.
  /// Errors: bad_argument for an invalid home, and if ranks make different objects; out_of_memory;
  ///   rank_failed.
  /// Checked by: spin_lock_test.refuses_what_cannot_be
  explicit spin_lock(const world& view, int home = 0, back_off how = back_off::best);
  ~spin_lock() { check_unused(); }

  /// The view of another thread of this rank.
  [[nodiscard]] spin_lock_view on(const world& view) {
    return {view, words_at(home_), use_of(view), how_};
  }

 private:
  int home_;
  back_off how_;
};

}  // namespace far
