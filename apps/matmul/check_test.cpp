#include "apps/matmul/check.hpp"

#include "apps/matmul/one_sided_multiplier.hpp"
#include "apps/matmul/plain_product.hpp"
#include "test/support/jobs.hpp"

namespace far::apps::matmul {
namespace {

using matmul_check_test = far::test::on_ranks;

// One wrong element of C, of any rank, is found by both checks: too large, too small or no number.
TEST_P(matmul_check_test, wrong_elements_are_found) {
  seeds = 2;
  allowed = far::test::run_size::any;
  run([&](far::world& world) {
    const shape s{.m = 9, .n = 7, .k = 11, .transpose_a = true};
    one_sided_multiplier multiplying(
        world, {s, rank_grid::of(s, world.size()), 4, false, testing::plain_product});
    const own_blocks blocks = multiplying.blocks();
    fill(blocks.a, which::a);
    fill(blocks.b, which::b);
    multiplying.barrier();
    multiplying.multiply([](std::size_t, std::size_t) {});
    barrier(world);
    EXPECT_EQ(freivalds_difference(world, s, blocks), "");
    EXPECT_EQ(difference_from(testing::plain_product, s, blocks.c), "");

    for (const double wrong : {1e-3, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      for (int rank = 0; rank < world.size(); ++rank) {
        const bool here = rank == world.rank();
        double& element = blocks.c.row(blocks.c.rows.size() - 1)[blocks.c.columns.size() - 1];
        const double right = element;
        if (here) element += wrong;
        EXPECT_NE(freivalds_difference(world, s, blocks), "");
        EXPECT_EQ(difference_from(testing::plain_product, s, blocks.c).empty(), !here);
        if (here) element = right;
      }
    }
    barrier(world);
  });
}

INSTANTIATE_FAR_MODES_ON(matmul_check_test, 1, 3, 4);

}  // namespace
}  // namespace far::apps::matmul
