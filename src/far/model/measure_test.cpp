// Measured costs of components. They must be exact on a simulated machine of known costs; elsewhere
// only inequalities are checked.

#include "far/model/measure.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "test/support/jobs.hpp"

namespace far::model {
namespace {

#ifndef FAR_THREAD_SANITIZER  // it cannot follow fibers

/// The costs that all ranks of a job with these options measure.
costs_by_distance measured_in(const run_options& options) {
  costs_by_distance result;
  far::run(options, [&](world& world) {
    const costs_by_distance mine = measure(world);
    for (const distance d : all_distances) {  // all ranks return the same
      const double sum = allreduce(world, at(mine, d) ? at(mine, d)->costs.of(component::put) : 0);
      const double expected = at(mine, d) ? at(mine, d)->costs.of(component::put) : 0;
      EXPECT_NEAR(sum, expected * world.size(), 1e-6 * sum);
    }
    if (world.rank() == 0) result = mine;
  });
  return result;
}

/// A machine whose links have a latency, but no cost per byte.
std::string machine_file() {
  std::string path = testing::TempDir() + "measure_machine.json";
  std::ofstream(path) << R"({"name": "known", "ranks_per_node": 2,
    "inside": {"put": 50, "get": 60, "amo": 70, "send": 80},
    "outside": {"put": 150, "get": 160, "amo": 170, "send": 180},
    "completion": 20, "poll": 10, "put_service": 5, "get_service": 6, "swap_service": 7,
    "amo_service": 8, "handler": 30,
    "links": {"self": {"latency": 3}, "node": {"latency": 40},
              "group": {"latency": 500}, "machine": {"latency": 500}}})";
  return path;
}

void expect_costs(const measured_costs& there, double put, double get, double add, double swap) {
  constexpr double exact = 0.51;  // the clock has whole nanoseconds
  EXPECT_NEAR(there.costs.of(component::put), put, exact);
  EXPECT_NEAR(there.costs.of(component::get), get, exact);
  EXPECT_NEAR(there.costs.of(component::fetch_add), add, exact);
  EXPECT_NEAR(there.costs.of(component::compare_swap), swap, exact);
  EXPECT_EQ(there.costs.of(component::local), 0);
}

TEST(measure_test, simulated_components_cost_what_the_profile_says) {
  const costs_by_distance costs =
      measured_in({.ranks = 4, .mode = job_mode::fibers, .profile = machine_file()});
  for (const distance d : all_distances) {
    ASSERT_TRUE(at(costs, d)) << name_of(d);
    EXPECT_EQ(at(costs, d)->ranks, 4);
  }
  // Inside a node: o. Outside: o + L + s + L + c (docs/simulator_internals.md).
  expect_costs(*at(costs, distance::self), 50, 60, 70, 70);
  expect_costs(*at(costs, distance::same_node), 50, 60, 70, 70);
  constexpr double there_and_back = 2 * 500 + 20;
  const measured_costs& outside = *at(costs, distance::other_node);
  expect_costs(outside, 150 + 5 + there_and_back, 160 + 6 + there_and_back,
               170 + 8 + there_and_back, 170 + 7 + there_and_back);
  // A word that all use is not slower than others here, and the peer may be busy with another
  // message.
  EXPECT_NEAR(outside.costs.of(component::hot_fetch_add), 170 + 8 + there_and_back, 0.51);
  EXPECT_GE(outside.costs.of(component::message), 2 * 180 + 2 * 500 + 30);
  EXPECT_GE(outside.costs.of(component::turn), outside.costs.of(component::compare_swap));
}

TEST(measure_test, bulk_costs_are_those_of_the_profile) {
  const std::string path = testing::TempDir() + "measure_bulk_machine.json";
  std::ofstream(path) << R"({"base": "ib-2004-ia64", "name": "bulk", "ranks_per_node": 2})";
  const costs_by_distance costs =
      measured_in({.ranks = 4, .mode = job_mode::fibers, .profile = path});
  const bulk_costs& outside = at(costs, distance::other_node)->bulk;
  // Two ranks of a node share its interface, and put 730 MB/s together.
  EXPECT_NEAR(outside.of(bulk_cost::put_byte), 2 / 0.73, 0.4);
  EXPECT_NEAR(outside.of(bulk_cost::next_put), 1000, 200);
  EXPECT_NEAR(outside.of(bulk_cost::next_get), 2 * 2140, 400);
  EXPECT_GT(outside.of(bulk_cost::listed_put_byte), 0);
  EXPECT_EQ(outside.of(bulk_cost::copied_row), 20);
  EXPECT_NEAR(outside.of(bulk_cost::copied_byte), 900. / 1024, 1e-9);
  EXPECT_NEAR(at(costs, distance::self)->bulk.of(bulk_cost::put_byte), 1, 0.1);
}

TEST(measure_test, distances_that_a_job_has_not_are_left_out) {
  const costs_by_distance alone =
      measured_in({.ranks = 1, .mode = job_mode::fibers, .profile = machine_file()});
  EXPECT_TRUE(at(alone, distance::self));
  EXPECT_FALSE(at(alone, distance::same_node));
  EXPECT_FALSE(at(alone, distance::other_node));
  // The third rank is alone on its node, and does not take part.
  const costs_by_distance three =
      measured_in({.ranks = 3, .mode = job_mode::fibers, .profile = machine_file()});
  expect_costs(*at(three, distance::same_node), 50, 60, 70, 70);
}

TEST(measure_test, one_word_that_all_add_to_is_dear_where_it_queues) {
  const costs_by_distance cray = measured_in(
      {.ranks = 8, .mode = job_mode::fibers, .ranks_per_node = 1, .profile = "cori-aries"});
  const component_costs& costs = at(cray, distance::other_node)->costs;
  EXPECT_GT(costs.of(component::hot_fetch_add), 3 * costs.of(component::fetch_add));
  EXPECT_GT(costs.of(component::turn), costs.of(component::compare_swap));
}

TEST(measure_test, a_simulation_without_time_is_refused) {
  try {
    measured_in({.ranks = 2, .mode = job_mode::fibers});
    FAIL() << "measured what has no time";
  } catch (const bad_argument& error) {
    EXPECT_NE(std::string(error.what()).find("without a profile"), std::string::npos);
  }
}

#endif

TEST(measure_test, every_component_of_a_machine_takes_time) {
  std::vector<std::string> told;
  far::run({.ranks = 2, .mode = job_mode::threads}, [&](world& world) {
    const auto watch = [&](int step, int steps, std::string_view what) {
      EXPECT_LT(step, steps);
      if (world.rank() == 0) told.emplace_back(what);
    };
    const costs_by_distance costs = measure(world, watch);
    EXPECT_FALSE(at(costs, distance::other_node));
    for (const distance d : {distance::self, distance::same_node}) {
      ASSERT_TRUE(at(costs, d));
      EXPECT_EQ(at(costs, d)->ranks, 2);
      const component_costs& ns = at(costs, d)->costs;
      for (std::size_t i = 0; i < components; ++i) EXPECT_GT(ns.ns[i], 0) << i;
      // A call contains atomics, so it costs more than one.
      EXPECT_GT(ns.of(component::message), ns.of(component::compare_swap));
      EXPECT_GE(ns.of(component::turn), ns.of(component::compare_swap));
    }
  });
  EXPECT_EQ(told.front(), "put");
  EXPECT_EQ(told.back(), "copied_row");
}

}  // namespace
}  // namespace far::model
