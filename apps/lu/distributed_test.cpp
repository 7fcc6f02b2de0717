// Factorizations on every fabric, several threads per rank, with and without copies: the residual
// is small, and the determinant the same in each bit.

#include <gtest/gtest.h>

#include "apps/lu/lu.hpp"
#include "test/support/jobs.hpp"

namespace far::apps::lu {
namespace {

class distributed_lu_test : public far::test::on_ranks {
 protected:
  distributed_lu_test() {
    seeds = 5;
    allowed = far::test::run_size::any;
  }

  void check(command asked) {
    asked.verify = true;
    const double expected = determinant_alone(asked);
    run([&](far::world& world) {
      const result found = factor_matrix(world, asked);
      if (world.rank() != 0) return;
      EXPECT_EQ(found.log_determinant, expected);
      EXPECT_LT(found.residual, 1e-10);
      EXPECT_TRUE(found.residual > 0 || asked.n < 10);  // or nothing was compared
    });
  }

 private:
  static double determinant_alone(command asked) {
    asked.threads = 1;
    asked.protocol = object_protocol::automatic;
    double found = 0;
    run_options alone;
    alone.mode = job_mode::threads;
    alone.ranks = 1;
    far::run(alone,
             [&](far::world& world) { found = factor_matrix(world, asked).log_determinant; });
    return found;
  }
};

TEST_P(distributed_lu_test, triangles_multiply_to_the_matrix) {
  for (const object_protocol protocol : {object_protocol::automatic, object_protocol::invalidate,
                                         object_protocol::update, object_protocol::in_place}) {
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(name_of(protocol) + ", threads " + std::to_string(threads));
      check({.n = 37, .block = 8, .threads = threads, .protocol = protocol});
      check({.n = 20, .block = 5, .seed = 2, .threads = threads, .protocol = protocol});
    }
  }
}

TEST_P(distributed_lu_test, of_one_block) {
  check({.n = 5, .block = 16, .threads = 2, .protocol = object_protocol::invalidate});
  check({.n = 2, .block = 1});
}

INSTANTIATE_FAR_MODES_ON(distributed_lu_test, 1, 2, 4);

}  // namespace
}  // namespace far::apps::lu
