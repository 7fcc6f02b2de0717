#include "far/sync/topology_lock.hpp"

#include "far/base/check.hpp"

namespace far {

bool topology_lock_view::try_lock_until(std::uint64_t deadline_ns) {
  return enter([&](const sync::mcs_queue& queue) { return queue.enter(deadline_ns); });
}

bool topology_lock_view::try_lock() {
  return enter([](const sync::mcs_queue& queue) { return queue.try_enter(); });
}

topology_lock::topology_lock(const world& world, const lock_levels& levels,
                             const std::vector<std::uint64_t>& max_passes)
    : tree_words(world, levels, max_passes, "topology_lock", {}),
      topology_lock_view(world, place(world)),
      world_(world) {}

topology_lock::~topology_lock() {
  FAR_DCHECK(!is_used() || scope_.is_unwinding(),
             "a topology_lock is destroyed while its rank holds it");
  scope_.leave(world_);
}

}  // namespace far
