#pragma once
// The memory of a lock_tree.

#include <cstdint>
#include <optional>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sync/lock_levels.hpp"
#include "far/sync/lock_tree.hpp"
#include "far/sync/thread_nodes.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// The queues of all elements, and a node for each thread and level.
class tree_words {
 public:
  struct choice {
    int home = 0;            ///< of the job's queue
    std::uint64_t also = 0;  ///< other values on which all ranks must agree
  };

  /// Collective. `passes`: by level, from the job on; the last value holds for all further levels.
  /// `what`: the name of the lock.
  /// Errors: bad_argument if ranks make different objects, for an invalid home, and if passes is
  ///   empty; out_of_memory; rank_failed.
  tree_words(const world& world, const lock_levels& levels,
             const std::vector<std::uint64_t>& passes, const char* what, const choice& chosen);
  /// Call it after all ranks have left together.
  ~tree_words();
  tree_words(const tree_words&) = delete;
  tree_words& operator=(const tree_words&) = delete;

  /// The place of a thread of this rank, the same at each call. Thread-safe.
  /// Errors: out_of_memory.
  [[nodiscard]] lock_place place(const world& world) {
    return {queues_, threads_->of(world), &threads_->use_of(world)};
  }
  /// Closes the lock for good, for a program that saves the guarded data after rank_failed: from
  /// now on no thread gets the lock. Returns nothing if no thread holds it: each holder has
  /// unlocked it before it learned of the failure, so the guarded data is whole. Otherwise returns
  /// the last rank in the queue: that rank, or one before it, may have stopped in the middle of a
  /// change. Call it once, from the home's own thread.
  ///
  ///     } catch (const far::rank_failed&) {
  ///       if (world.rank() == home) save(balance, lock.close() ? "doubtful" : "whole");
  ///
  /// Errors: bad_argument in a job that has not failed, or not at the lock's home.
  /// Cost: an atomic on own memory. Does not communicate.
  /// Checked by: mcs_lock_death_test.the_dead_keep_it, mcs_lock_test.closes_in_failed_jobs_only
  [[nodiscard]] std::optional<int> close();
  /// Whether any thread of this rank has the lock.
  [[nodiscard]] bool is_used() const noexcept { return threads_->is_used(); }

 private:
  world world_;
  ptr<std::uint64_t> tails_;  // symmetric; a word for each level
  ptr<queue_node> nodes_;     // symmetric; this rank's own, for its first thread
  std::vector<lock_queue> queues_;
  std::optional<thread_nodes> threads_;
};

}  // namespace far::sync
