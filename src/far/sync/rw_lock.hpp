#pragma once
// A reader-writer lock.

#include <chrono>
#include <cstdint>
#include <vector>

#include "far/sync/gate_words.hpp"
#include "far/sync/lock_levels.hpp"
#include "far/sync/lock_tree.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/reader_gate.hpp"
#include "far/sync/tree_words.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// The trade-offs between readers and writers, and between fairness and throughput (docs/locks.md).
struct rw_lock_thresholds {
  /// T_DC: each `counter_every`-th rank has a counter of readers. Fewer counters make writers
  /// faster, more make readers faster. 0: one for each machine; where all ranks share memory, eight
  /// at most.
  int counter_every = 0;
  /// T_L,i: how often writers pass the lock on within an element before others get it; by level,
  /// from the job on. The last value holds for all further levels. At the job's level, the others
  /// are readers. So T_W, the max number of writers in a row, is the product of all values, each
  /// plus 1.
  std::vector<std::uint64_t> max_passes = {63, 127};
  /// T_R: max readers that enter at each counter while a writer waits for its phase, if readers
  /// come without a break. 0: only those that have waited for the phase before.
  std::uint64_t max_readers = 0;
  /// If not 0, T_R is only the max: readers enter until the writer has waited, including its time
  /// in queues, for 1/patience of the time since it last wrote.
  int patience = 0;
  /// If not 0, T_R is only the max: readers enter until `min_readers` have entered at each counter
  /// since the gate was last closed, if they come without a break. A writer that finds that they
  /// have closes at once.
  std::uint64_t min_readers = 0;

  /// The thresholds that an rw_lock chooses by default: as many passes, and as many readers before
  /// a writer, as pay off, but so that at most `max_overtakes` writers overtake a waiting reader,
  /// and at most that many readers overtake the first writer (docs/decisions/0008-locks.md).
  [[nodiscard]] static rw_lock_thresholds within(const world& world, const lock_levels& levels,
                                                 std::uint64_t max_overtakes);
};

/// One thread's view of an rw_lock: SharedTimedLockable, so std::unique_lock, std::shared_lock and
/// std::scoped_lock work on it.
///
/// Completion: what a writer put before it unlocked, and waited for, is visible to the next holder.
/// Fairness: a reader waits for one phase of at most T_W writers. A writer waits for the writers
///   before it, as at a topology_lock, and in each of their phases and its own for the readers
///   inside and at most T_R more at each counter (docs/locks.md). A thread that gives up has no
///   place, except a writer that comes back while its node is still in a queue.
/// Progress: a waiting writer sleeps; a reader polls its counter, with pauses.
/// Threads: belongs to the thread of its world.
/// Errors: rank_failed where it waits, also when a holder dies. In debug builds bad_argument if a
///   thread locks what it holds, unlocks what it does not hold, or unlocks as a writer by another
///   view.
/// Checked by: rw_lock_test.excludes_others, rw_lock_history_test.is_linearizable
class rw_lock_view {
 public:
  rw_lock_view(const world& world, const sync::lock_place& place, const sync::gate_shape& gate)
      : world_(world), tree_(world, place), gate_(world, gate), use_(place.use) {}

  /// Cost: free, as topology_lock's and a round of atomics to all counters.
  void lock();
  [[nodiscard]] bool try_lock();
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(sync::deadline_in(world_, time));
  }
  /// Until a time of world::now().
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns);
  void unlock();

  /// Cost: A_fao on the nearest counter.
  void lock_shared() {
    use_->check_enters("rw_lock", world_.rank());
    gate_.enter();
    use_->shares = true;
  }
  [[nodiscard]] bool try_lock_shared();
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_shared_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_shared_until(sync::deadline_in(world_, time));
  }
  [[nodiscard]] bool try_lock_shared_until(std::uint64_t deadline_ns);
  /// Cost: A_fao on the nearest counter.
  void unlock_shared() {
    sync::lock_use::check_leaves("rw_lock", world_.rank(), use_->shares);
    use_->shares = false;
    sync::release_lock(world_, [this] { gate_.leave(); });
  }

  /// Whether this thread holds the lock as the writer.
  [[nodiscard]] bool is_held() const noexcept { return use_->holds; }
  /// Whether this thread shares the lock as a reader.
  [[nodiscard]] bool is_shared() const noexcept { return use_->shares; }

 private:
  void release();

  world world_;
  sync::lock_tree tree_;
  sync::reader_gate gate_;
  sync::lock_use* use_;
  bool is_writer_ = false;  // this thread locked by this view
};

/// A reader-writer lock for all ranks, RMA-RW: readers count themselves at a nearby counter;
/// writers queue up as at a topology_lock, and the first of them closes all counters.
///
/// Used by the rank's own thread; on(world) gives another thread its view. The constructor and the
/// destructor are collective, as those of mcs_lock.
///
/// Cost: a cache line of each rank's symmetric heap for the counter, 40 bytes for each level, and
/// 32 of the local heap for each level and other thread that uses it.
/// Source: RMA-RW of P. Schmid, M. Besta, T. Hoefler, High-performance distributed RMA locks, 2016.
///   As printed (listings 7 and 8), T_R has no effect on a writer that comes, and a count of the
///   job's level is compared with T_W, which bounds writers in a row by T_W times the further
///   T_L,i.
// The tree comes after the gate: its constructor ends with an agreement of all ranks, after which
// both exist.
class rw_lock : private sync::gate_words, private sync::tree_words, public rw_lock_view {
 public:
  /// Collective: all ranks pass the same values.
  /// Errors: bad_argument if ranks make different objects, and for invalid thresholds;
  ///   out_of_memory; rank_failed.
  /// Checked by: rw_lock_test.refuses_what_cannot_be
  rw_lock(const world& world, const lock_levels& levels, const rw_lock_thresholds& thresholds);
  rw_lock(const world& world, const rw_lock_thresholds& thresholds)
      : rw_lock(world, lock_levels(world), thresholds) {}
  /// Chooses the thresholds itself (rw_lock_thresholds::within). `max_overtakes`: max writers that
  /// overtake a waiting reader, and max readers that overtake the first writer; 0: 64 for each
  /// rank, at least 1024.
  explicit rw_lock(const world& world, std::uint64_t max_overtakes = 0)
      : rw_lock(world, lock_levels(world), max_overtakes) {}
  rw_lock(const world& world, const lock_levels& levels, std::uint64_t max_overtakes = 0)
      : rw_lock(world, levels, rw_lock_thresholds::within(world, levels, max_overtakes)) {}
  ~rw_lock();
  rw_lock(const rw_lock&) = delete;
  rw_lock& operator=(const rw_lock&) = delete;

  /// The view of another thread of this rank. A thread unlocks by the view that it locked by.
  [[nodiscard]] rw_lock_view on(const world& world) { return {world, place(world), shape()}; }
  /// After rank_failed, at its home (rank 0): whether the guarded data is whole
  /// (sync/tree_words.hpp).
  using tree_words::close;

 private:
  world world_;
  collective_scope scope_;
};

}  // namespace far
