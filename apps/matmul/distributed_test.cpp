// Multiplications on every fabric: random shapes and transposes, checked element by element.

#include <random>
#include <vector>

#include "apps/matmul/matmul.hpp"
#include "apps/matmul/plain_product.hpp"
#include "test/support/jobs.hpp"

namespace far::apps::matmul {
namespace {

using testing::plain_blas;

class distributed_matmul_test : public far::test::on_ranks {
 protected:
  distributed_matmul_test() {
    seeds = 3;
    allowed = far::test::run_size::any;
  }

  /// Checks the products by Freivalds' test, and all of their elements.
  void check(const std::vector<command>& all) {
    run([&](far::world& world) {
      for (const command& asked : all) {
        SCOPED_TRACE(in_words(asked.what));
        const result found = multiply(world, asked, plain_blas());
        EXPECT_EQ(found.variants.at(0).verdict, "Freivalds, BLAS");
        EXPECT_EQ(found.grid.rows * found.grid.columns, world.size());
      }
    });
  }
};

TEST_P(distributed_matmul_test, of_random_shapes) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t bound) { return random() % bound; };
  std::vector<command> all;
  for (int i = 0; i < 12; ++i) {
    command asked{.panel = 1 + below(20), .fetch = below(2) == 0, .verify = true};
    asked.what = {.m = 1 + below(60),
                  .n = 1 + below(60),
                  .k = 1 + below(60),
                  .transpose_a = i % 2 == 1,
                  .transpose_b = i % 4 >= 2};
    if (i % 3 == 0) asked.what.m = 1 + below(4);  // fewer rows than ranks
    if (i % 5 == 0) asked.what.k = 1 + below(4);
    all.push_back(asked);
  }
  all.push_back({.what = {.m = 31, .n = 17, .k = 23}, .rounds = 3, .verify = true});
  check(all);
}

TEST_P(distributed_matmul_test, bad_requests_are_refused) {
  if (GetParam().count == 1) return;
  const shape small{.m = 2, .n = 2, .k = 2};
  for (const command& asked :
       {command{.what = small, .how = variant::mpi}, command{.what = small, .blas_threads = 2}}) {
    EXPECT_THROW(run([&](far::world& world) { (void)multiply(world, asked, plain_blas()); }),
                 bad_argument);
  }
}

INSTANTIATE_FAR_MODES_ON(distributed_matmul_test, 1, 2, 3, 4, 6);

}  // namespace
}  // namespace far::apps::matmul
