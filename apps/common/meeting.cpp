#include "apps/common/meeting.hpp"

namespace far::apps {

void meet(object_view& space, ref<meeting> all) {
  auto lock = space.lock(all);
  if (space.read(all).abandoned != 0) throw abandoned();
  const std::uint64_t round = space.read(all).round;
  meeting& state = space.write(all);
  if (++state.arrived == state.threads) {
    state.arrived = 0;
    ++state.round;
    lock.monitor().notify_all();
    return;
  }
  while (space.read(all).round == round) {
    if (space.read(all).abandoned != 0) throw abandoned();
    lock.monitor().wait();
  }
}

void abandon(object_view& space, ref<meeting> all) {
  auto lock = space.lock(all);
  space.write(all).abandoned = 1;
  lock.monitor().notify_all();
}

}  // namespace far::apps
