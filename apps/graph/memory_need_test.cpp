// What a graph needs is compared with the memory there is, and the message says what is missing.
#include "apps/graph/memory_need.hpp"

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"

namespace far::apps {
namespace {

using testing::message_of;

TEST(memory_budget, says_how_much_is_missing) {
  const graph_size size{.vertices = 1e9, .edges = 16e9};  // 48 GB and 256 GB
  EXPECT_EQ(message_of([&] { memory_budget(305e9, 1).check("f", size, "has so many", ""); }), "");
  EXPECT_EQ(message_of([&] { memory_budget(204e9, 1).check("f", size, "has so many", ""); }),
            "f: has so many, which take about 304 GB of memory where 204 GB are free: 100 GB are "
            "missing; use more machines");
  // Of four machines, each has a quarter.
  EXPECT_EQ(message_of([&] { memory_budget(77e9, .25).check("f", size, "", ""); }), "");
  EXPECT_EQ(message_of([&] { memory_budget(75e9, .25).check("f", size, "has so many", "wait"); }),
            "f: has so many, which take about 76 GB of memory where 75 GB are free: 1 GB are "
            "missing; wait, or use more machines");
}

TEST(graph_size, grows_with_what_is_stored) {
  const double plain = graph_size{.edges = 1}.bytes();
  EXPECT_LE(plain, 40);
  EXPECT_LT(plain, (graph_size{.edges = 1, .both_ways = true}.bytes()));
  EXPECT_LT(plain, (graph_size{.edges = 1, .weighted = true}.bytes()));
}

}  // namespace
}  // namespace far::apps
