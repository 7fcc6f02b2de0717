#include "far/team/barrier.hpp"

#include "far/rma/flush.hpp"
#include "far/team/matching.hpp"
#include "far/team/rendezvous.hpp"

namespace far {

void barrier(const world& world, const detail::team_or_world& team) {
  detail::team_state& state = team.state(world);
  const detail::collective_scope scope(world, state, {detail::collective::barrier});
  flush(world);
  if (!scope.is_alone()) detail::rendezvous(world.context(), state, "barrier");
}

}  // namespace far
