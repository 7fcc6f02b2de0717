// The solver on every fabric, compared with the published norms and with itself on one rank.

#include <cmath>

#include "apps/mg/mg.hpp"
#include "apps/mg/one_sided_links.hpp"
#include "apps/mg/solver.hpp"
#include "test/support/jobs.hpp"

namespace far::apps::mg {
namespace {

class distributed_mg_test : public far::test::on_ranks {
 protected:
  distributed_mg_test() {
    seeds = 3;
    allowed = far::test::run_size::any;
  }
};

TEST_P(distributed_mg_test, class_s_has_the_published_norm) {
  if (GetParam().mode == job_mode::fibers) seeds = 1;
  run([&](far::world& world) {
    const result found = solve(world, {.problem_class = "S", .rounds = 2, .verify = true});
    ASSERT_EQ(found.variants.size(), 1U);
    EXPECT_NEAR(found.variants[0].norm, 0.5307707005734e-04, 1e-12);
    EXPECT_EQ(found.blocks_z * found.blocks_y, world.size());
  });
}

/// The norms after each of some iterations on a small cube, of which `levels` are cut.
std::vector<double> norms_of(far::world& world, const block_grid& grid, int levels) {
  problem small = problem_of_class("A");
  small.log_n = 4;
  const landing_places places(grid, small.n(), levels);
  one_sided_links ends(world, places);
  solver solving(small, grid, grid.size() == 1 ? 0 : world.rank(), places, ends);
  std::vector<double> norms;
  for (int round = 0; round < 2; ++round) {
    solving.reset();
    for (int i = 0; i < 3; ++i) {
      solving.iterate();
      norms.push_back(solving.norm());
    }
  }
  return norms;
}

TEST_P(distributed_mg_test, any_cut_gives_the_same) {
  run([&](far::world& world) {
    const block_grid grid(16, world.size());
    // Every rank has the whole cube, so the sum of squares counts each cell `size` times.
    const std::vector<double> whole = norms_of(world, block_grid(), 0);
    for (int levels = world.size() == 1 ? 0 : 1; levels <= 3; ++levels) {
      if (levels > 0 && (world.size() == 1 || !grid.all_have_cells(levels - 1))) break;
      const std::vector<double> cut = norms_of(world, grid, levels);
      ASSERT_EQ(cut.size(), whole.size());
      for (std::size_t i = 0; i < cut.size(); ++i) {
        const double expected = whole[i] / std::sqrt(world.size());
        EXPECT_NEAR(cut[i], expected, 1e-12 * whole[i]) << levels << " levels, norm " << i;
      }
    }
  });
}

TEST_P(distributed_mg_test, bad_requests_are_refused) {
  const auto expect_refusal = [&](const command& asked) {
    EXPECT_THROW(run([&](far::world& world) { (void)solve(world, asked); }), bad_argument);
  };
  expect_refusal({.problem_class = "X"});
  if (GetParam().count > 1) expect_refusal({.problem_class = "S", .how = variant::mpi});
}

INSTANTIATE_FAR_MODES_ON(distributed_mg_test, 1, 2, 3, 4, 6, 8);

}  // namespace
}  // namespace far::apps::mg
