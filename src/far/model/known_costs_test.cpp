#include "far/model/known_costs.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "far/model/costs_file.hpp"
#include "test/support/jobs.hpp"

namespace far::model {
namespace {

measured_costs all_of(double ns, int ranks) {
  measured_costs result;
  result.costs.ns.fill(ns);
  result.ranks = ranks;
  return result;
}

/// Makes this process's jobs read a file of measured costs of the test.
class known_costs_test : public testing::Test {
 protected:
  known_costs_test() {
    std::filesystem::remove(path_);
    setenv("FAR_MODEL", path_.c_str(), 1);
  }
  ~known_costs_test() override { unsetenv("FAR_MODEL"); }

  void keep(std::string_view fabric, distance apart, double ns) const {
    costs_by_distance costs;
    at(costs, apart) = all_of(ns, 2);
    write_costs(path_, fabric, costs);
  }

  const std::string path_ = testing::TempDir() + "known_costs_test.json";
};

TEST_F(known_costs_test, built_in_figures_are_there_for_every_fabric) {
  for (const std::string_view fabric : {"shm", "ucx", "sim", "sim/cori-aries", "sim/own", "new"}) {
    const known_costs known(fabric, "");
    for (const distance d : all_distances) {
      EXPECT_EQ(known.knows(d), fabric != "shm" || d != distance::other_node);
      EXPECT_EQ(known.measured_by(d), 0);
      EXPECT_GT(known.of(d).of(component::message), 0) << fabric;
    }
  }
}

TEST_F(known_costs_test, measured_ones_go_before_built_in_ones) {
  keep("shm", distance::self, 5);
  const known_costs known("shm", path_);
  EXPECT_EQ(known.measured_by(distance::self), 2);
  EXPECT_EQ(known.of(distance::self).of(component::put), 5);
  EXPECT_EQ(known.measured_by(distance::same_node), 0);
  EXPECT_EQ(known.of(distance::same_node).ns,
            at(built_in_costs("shm"), distance::same_node)->costs.ns);
}

TEST_F(known_costs_test, a_rank_reads_the_file_once) {
  keep("shm", distance::self, 5);
  keep("shm", distance::same_node, 7);
  far::run({.ranks = 2, .mode = job_mode::threads}, [&](world& world) {
    const int other = 1 - world.rank();
    EXPECT_EQ(costs_of(world, world.rank()).of(component::get), 5);
    EXPECT_EQ(price(R + 2 * W, costs_of(world, other)), 21);
    const component_costs* const first = &costs_of(world, other);
    barrier(world);
    if (world.rank() == 0) keep("shm", distance::same_node, 8);
    barrier(world);
    EXPECT_EQ(&costs_of(world, other), first);
    EXPECT_EQ(costs_of(world, other).of(component::get), 7);
  });
}

TEST_F(known_costs_test, a_wrong_file_is_told_at_every_use) {
  std::ofstream(path_) << "{";
  far::run({.ranks = 2, .mode = job_mode::threads}, [&](world& world) {
    for (int i = 0; i < 2; ++i) {
      try {
        (void)costs_of(world, 0);
        ADD_FAILURE() << "no complaint";
      } catch (const bad_argument& error) {
        EXPECT_NE(std::string(error.what()).find(path_), std::string::npos) << error.what();
      }
    }
  });
}

#ifndef FAR_THREAD_SANITIZER  // it cannot follow fibers
TEST_F(known_costs_test, ranks_are_as_far_apart_as_their_nodes) {
  keep("sim/laptop", distance::other_node, 9);
  const run_options options{
      .ranks = 4, .mode = job_mode::fibers, .ranks_per_node = 2, .profile = "laptop"};
  far::run(options, [](world& world) {
    EXPECT_EQ(world.fabric().name(), "sim/laptop");
    const int neighbour = world.rank() ^ 1;
    const int stranger = world.rank() ^ 2;
    EXPECT_EQ(distance_to(world, world.rank()), distance::self);
    EXPECT_EQ(distance_to(world, neighbour), distance::same_node);
    EXPECT_EQ(distance_to(world, stranger), distance::other_node);
    EXPECT_EQ(costs_of(world, stranger).of(component::put), 9);
    EXPECT_EQ(costs_of(world).measured_by(distance::same_node), 0);
  });
}
#endif

}  // namespace
}  // namespace far::model
