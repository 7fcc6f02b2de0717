#include "far/sync/mcs_lock.hpp"

#include <vector>

#include "far/base/check.hpp"

namespace far {

bool mcs_lock_view::try_lock() {
  use_->check_enters("mcs_lock", world_.rank());
  use_->holds = queue_.try_enter() != sync::mcs_queue::nothing;
  return use_->holds;
}

bool mcs_lock_view::try_lock_until(std::uint64_t deadline_ns) {
  use_->check_enters("mcs_lock", world_.rank());
  use_->holds = queue_.enter(deadline_ns) != sync::mcs_queue::nothing;
  return use_->holds;
}

mcs_lock::mcs_lock(const world& world, int home)
    : tree_words(world, lock_levels(world, std::vector<int>{}), {0}, "mcs_lock", {.home = home}),
      mcs_lock_view(world, place(world)),
      world_(world) {}

mcs_lock::~mcs_lock() {
  FAR_DCHECK(!is_used() || scope_.is_unwinding(),
             "an mcs_lock is destroyed while its rank holds it");
  scope_.leave(world_);
}

}  // namespace far
