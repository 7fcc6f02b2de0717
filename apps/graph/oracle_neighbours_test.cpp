// The oracle's triangles, clustering coefficients and core numbers, compared with what is known by
// hand and with the figures that the sources of real graphs give (snap.stanford.edu/data).

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"
#include "apps/graph/oracle.hpp"
#include "apps/graph/reader.hpp"

namespace far::apps::oracle {
namespace {

using numbers = std::vector<std::uint64_t>;

// A clique of 4, to which 4 is tied by one edge and 5 by two; a loop, and an edge there and back.
const std::vector<edge> by_hand = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3},
                                   {3, 4}, {5, 0}, {1, 5}, {5, 5}, {1, 0}};

TEST(triangles, are_counted_at_their_corners) {
  EXPECT_EQ(triangles(build(by_hand, {})), (numbers{4, 4, 3, 3, 0, 1}));
  EXPECT_EQ(triangles(build(by_hand, {true, true, true})), (numbers{4, 4, 3, 3, 0, 1}));
  EXPECT_TRUE(triangles(build({}, {})).empty());
}

TEST(cores, are_what_remains_of_a_graph) {
  EXPECT_EQ(cores(build(by_hand, {})), (numbers{3, 3, 3, 3, 1, 2}));
  EXPECT_EQ(cores(build({{7, 7}}, {.keep_loops = true})), (numbers{0}));
}

// LDBC's: both arcs between 0 and 1 count, and only one of 2's neighbours 0, 1, 3 leads to each.
TEST(clustering, counts_arcs_between_neighbours) {
  const auto directed = clustering(build(by_hand, {}));
  EXPECT_DOUBLE_EQ(directed[2], 4.0 / 6);
  EXPECT_DOUBLE_EQ(directed[4], 0);
  EXPECT_DOUBLE_EQ(directed[5], 1);
  EXPECT_DOUBLE_EQ(directed[0], 4.0 / 12);
  const auto undirected = clustering(build(by_hand, {.undirected = true}));
  EXPECT_DOUBLE_EQ(undirected[2], 1);
  EXPECT_DOUBLE_EQ(undirected[3], 3.0 / 6);
}

struct known_figures {
  const char* file;
  std::uint64_t triangles;
  double clustering;  // mean, to four digits
  std::uint64_t core;
};

void check(const known_figures& known) {
  const std::string path = testing::shared_data(known.file);
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set FAR_TEST_DATA";
  const graph g = build(read_whole_graph(path).edges, {.undirected = true});
  const auto corners = triangles(g);
  EXPECT_EQ(std::accumulate(corners.begin(), corners.end(), std::uint64_t{0}) / 3, known.triangles);
  const auto coefficients = clustering(g);
  const double sum = std::accumulate(coefficients.begin(), coefficients.end(), 0.0);
  EXPECT_NEAR(sum / static_cast<double>(g.ids.size()), known.clustering, 5e-5);
  EXPECT_EQ(std::ranges::max(cores(g)), known.core);
}

TEST(real_neighbours, wiki_vote) { check({"wiki-Vote.txt.xz", 608389, 0.1409, 53}); }
TEST(real_neighbours, email_enron) { check({"email-enron-und.el.xz", 727044, 0.4970, 43}); }

}  // namespace
}  // namespace far::apps::oracle
