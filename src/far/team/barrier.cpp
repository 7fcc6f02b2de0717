#include "far/team/barrier.hpp"

#include "far/rma/flush.hpp"
#include "far/team/matching.hpp"
#include "far/team/rendezvous.hpp"

namespace far {

void barrier(const world& view, const detail::team_or_world& team) {
  detail::team_state& state = team.state(view);
  const detail::collective_scope scope(view, state, {detail::collective::barrier});
  flush(view);
  if (!scope.is_alone()) detail::rendezvous(view.context(), state, "barrier");
}

}  // namespace far
