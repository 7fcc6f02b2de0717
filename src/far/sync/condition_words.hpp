#pragma once
// The memory of a condition variable: a list of the waiting threads, changed under a lock.

#include <cstdint>
#include <optional>

#include "far/memory/ptr.hpp"
#include "far/sync/mcs_lock.hpp"
#include "far/sync/thread_nodes.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// A doubly linked list of nodes. Symmetric; only the home's is used.
struct waiter_list {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

class condition_words {
 public:
  /// Collective. Errors: as mcs_lock's.
  condition_words(const world& world, int home);
  ~condition_words();
  condition_words(const condition_words&) = delete;
  condition_words& operator=(const condition_words&) = delete;

  [[nodiscard]] ptr<waiter_list> list() const noexcept { return lists_.on(home_); }
  [[nodiscard]] ptr<queue_node> node_of(const world& world) { return threads_.of(world); }
  [[nodiscard]] mcs_lock_view lock_of(const world& world) { return lock_->on(world); }

 private:
  world world_;
  int home_;
  ptr<waiter_list> lists_;  // symmetric; this rank's own
  ptr<queue_node> nodes_;   // symmetric; this rank's own
  thread_nodes threads_;
  std::optional<mcs_lock> lock_;
};

}  // namespace far::sync
