#include "far/rpc/progress.hpp"

#include "far/rma/composite.hpp"
#include "far/rpc/store.hpp"

namespace far {

void quiesce(const world& view) {
  auto& room = view.state().get<detail::rpc_store>();
  room.send_postponed(view.context());
  if (detail::has_composites(view.context())) {
    detail::complete_composites(view.context(), fabric::all_ranks);
  }
  view.fabric().quiesce(view.context());
  const std::exception_ptr failure = room.take_failure();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace far
