#include "far/team/settle.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/rpc/progress.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using settle_test = far::test::on_ranks;

// Each call passes itself on to the next rank, `left` times.
struct step {
  void operator()(far::rank_state& state, int left) const;
};
struct steps {
  explicit steps(far::rank_state&) {}
  far::aggregator<step, int>* next = nullptr;
  int taken = 0;
};
void step::operator()(far::rank_state& state, int left) const {
  auto& mine = state.get<steps>();
  ++mine.taken;
  const far::fabric::fabric& fabric = state.fabric();
  if (left > 0) mine.next->pass_on((fabric.rank() + 1) % fabric.size(), left - 1);
  if (left == 3) throw far::out_of_bounds("three are left");
}

TEST_P(settle_test, chains_have_ended) {
  run([](far::world& world) {
    far::aggregator<step, int> next(world);
    auto& mine = world.state().get<steps>();
    mine.next = &next;
    far::barrier(world);
    // Only rank 0 begins: when most others begin to wait, they have no sign of the calls to come.
    const int laps = far::test::rounds_in_sim(world, 40, 2);
    for (int lap = 1; lap <= laps; ++lap) {
      if (world.rank() == 0) next(0, 2);
      far::settle(world, next);
      EXPECT_EQ(far::allreduce(world, mine.taken), 3 * lap);
    }
    EXPECT_FALSE(next.sender().waiting());
  });
}

TEST_P(settle_test, failures_come_at_the_end) {
  run([](far::world& world) {
    far::aggregator<step, int> next(world);
    auto& mine = world.state().get<steps>();
    mine.next = &next;
    far::barrier(world);
    if (world.rank() == 0) {
      next(world.size() - 1, 3);
      EXPECT_THROW(far::settle(world, next), far::out_of_bounds);
    } else {
      EXPECT_NO_THROW(far::settle(world, next));
    }
    EXPECT_EQ(far::allreduce(world, mine.taken), 4);
    far::settle(world, next);
  });
}

INSTANTIATE_FAR_MODES(settle_test);

}  // namespace
