#pragma once
// The nodes by which a rank's threads are in queues.

#include <cstdint>
#include <mutex>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/mcs_queue.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// `count` nodes for each thread, and its state in the lock. The nodes of the first thread are
/// passed in; other threads get theirs from the local heap on first use.
class thread_nodes {
 public:
  thread_nodes(const world& world, ptr<queue_node> first, std::uint64_t count);

  /// The nodes of the view's thread, the same at each call. Thread-safe.
  /// Errors: out_of_memory.
  [[nodiscard]] ptr<queue_node> of(const world& world);
  [[nodiscard]] lock_use& use_of(const world& world) {
    return uses_.at(static_cast<std::size_t>(world.context().index()));
  }
  /// Whether any thread holds or shares the lock.
  [[nodiscard]] bool is_used() const noexcept;
  /// Frees the nodes that it allocated. Errors: bad_argument if that memory no longer exists.
  void free();

 private:
  world world_;
  ptr<queue_node> first_;
  std::uint64_t count_;
  std::vector<lock_use> uses_;           // by context
  std::mutex mutex_;                     // for others_
  std::vector<ptr<queue_node>> others_;  // by context
};

}  // namespace far::sync
