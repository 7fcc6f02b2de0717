// Water on every fabric, several threads per rank, with and without copies: the energies are those
// of a sequential program.

#include <gtest/gtest.h>

#include "apps/water/oracle.hpp"
#include "apps/water/water.hpp"
#include "test/support/jobs.hpp"

namespace far::apps::water {
namespace {

class distributed_water_test : public far::test::on_ranks {
 protected:
  distributed_water_test() {
    seeds = 5;
    allowed = far::test::run_size::any;
  }

  void check(const command& asked) {
    const auto expected = oracle::simulate(asked.molecules, asked.steps, asked.seed);
    run([&](far::world& world) {
      const result found = simulate(world, asked);
      if (world.rank() != 0) return;
      ASSERT_EQ(found.steps.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double near = 1e-9 * expected[i].kinetic;
        EXPECT_NEAR(found.steps[i].kinetic, expected[i].kinetic, near) << i;
        EXPECT_NEAR(found.steps[i].bonded, expected[i].bonded, near) << i;
        EXPECT_NEAR(found.steps[i].pairs, expected[i].pairs, near) << i;
      }
    });
  }
};

TEST_P(distributed_water_test, energies_are_a_sequential_programs) {
  for (const object_protocol protocol : {object_protocol::automatic, object_protocol::invalidate,
                                         object_protocol::update, object_protocol::in_place}) {
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(name_of(protocol) + ", threads " + std::to_string(threads));
      check({.molecules = 27, .steps = 3, .threads = threads, .protocol = protocol});
      check({.molecules = 8, .steps = 2, .seed = 4, .threads = threads, .protocol = protocol});
    }
  }
}

TEST_P(distributed_water_test, of_one_molecule) {
  check({.molecules = 1, .steps = 4, .threads = 2, .protocol = object_protocol::invalidate});
  check({.molecules = 1, .steps = 0});
}

INSTANTIATE_FAR_MODES_ON(distributed_water_test, 1, 2, 4);

}  // namespace
}  // namespace far::apps::water
