#include "far/rpc/progress.hpp"

#include "far/rma/composite.hpp"
#include "far/rpc/store.hpp"

namespace far {

void quiesce(const world& world) {
  auto& room = world.state().get<detail::rpc_store>();
  room.send_postponed(world.context());
  if (detail::has_composites(world.context())) {
    detail::complete_composites(world.context(), fabric::all_ranks);
  }
  world.fabric().quiesce(world.context());
  const std::exception_ptr failure = room.take_failure();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace far
