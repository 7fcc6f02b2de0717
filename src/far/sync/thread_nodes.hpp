#pragma once
// The nodes with which the threads of a rank stand in queues.

#include <cstdint>
#include <mutex>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/mcs_queue.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// So many nodes for each thread, and what it does with the lock. The nodes of the first are given,
/// others get theirs from the local heap when they come.
class thread_nodes {
 public:
  thread_nodes(const world& view, ptr<queue_node> first, std::uint64_t count);

  /// Those of the view's thread, the same at each call. Thread-safe.
  /// Errors: out_of_memory.
  [[nodiscard]] ptr<queue_node> of(const world& view);
  [[nodiscard]] lock_use& use_of(const world& view) {
    return uses_.at(static_cast<std::size_t>(view.context().index()));
  }
  /// Whether any thread has the lock.
  [[nodiscard]] bool is_used() const noexcept;
  /// Frees what it has got. Errors: bad_argument if there is no such memory any more.
  void free();

 private:
  world view_;
  ptr<queue_node> first_;
  std::uint64_t count_;
  std::vector<lock_use> uses_;           // by context
  std::mutex mutex_;                     // of what follows
  std::vector<ptr<queue_node>> others_;  // by context
};

}  // namespace far::sync
