#include "far/sync/thread_nodes.hpp"

#include <algorithm>

#include "far/memory/allocate.hpp"

namespace far::sync {

thread_nodes::thread_nodes(const world& world, ptr<queue_node> first, std::uint64_t count)
    : world_(world),
      first_(first),
      count_(count),
      uses_(static_cast<std::size_t>(world.fabric().max_contexts())),
      others_(uses_.size()) {}

bool thread_nodes::is_used() const noexcept {
  return std::ranges::any_of(uses_, [](const lock_use& use) { return use.holds || use.shares; });
}

ptr<queue_node> thread_nodes::of(const world& world) {
  if (world.context().index() == world_.context().index()) return first_;
  const std::scoped_lock lock(mutex_);
  auto& nodes = others_.at(static_cast<std::size_t>(world.context().index()));
  if (!nodes) nodes = allocate_local<queue_node>(world, count_);
  return nodes;
}

void thread_nodes::free() {
  for (const auto& nodes : others_) deallocate_local(world_, nodes);
}

}  // namespace far::sync
