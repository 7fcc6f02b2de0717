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
    std::uint64_t also = 0;  ///< what else all ranks must agree on
  };

  /// Collective. `passes`: by level, from the job on; the last holds for all further ones too.
  /// `what`: the name of the lock.
  /// Errors: bad_argument where ranks make different objects, for a home that there is not, and if
  ///   passes is empty; out_of_memory; rank_failed.
  tree_words(const world& view, const lock_levels& levels, const std::vector<std::uint64_t>& passes,
             const char* what, const choice& chosen);
  /// After all ranks have left together.
  ~tree_words();
  tree_words(const tree_words&) = delete;
  tree_words& operator=(const tree_words&) = delete;

  /// The place of a thread of this rank, the same at each call. Thread-safe.
  /// Errors: out_of_memory.
  [[nodiscard]] lock_place place(const world& view) {
    return {queues_, threads_->of(view), &threads_->use_of(view)};
  }
  /// For who saves, after rank_failed, what the lock guards: from now on nobody gets the lock.
  /// Nothing: nobody has it, and whoever had it has unlocked it before hearing of the failure, so
  /// what it guards is whole. Else the last rank that came for it: that, or one before it in the
  /// queue, may have stopped in the midst of a change. Called once, by the home's own thread.
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
  world view_;
  ptr<std::uint64_t> tails_;  // symmetric; a word for each level
  ptr<queue_node> nodes_;     // symmetric; this rank's own, for its first thread
  std::vector<lock_queue> queues_;
  std::optional<thread_nodes> threads_;
};

}  // namespace far::sync
