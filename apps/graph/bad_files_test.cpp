// Each kind of bad input is refused by one clear line, on ranks that are threads and processes.

#include <cstring>
#include <fstream>

#include "apps/common/test_files.hpp"
#include "apps/graph/load.hpp"
#include "apps/graph/test_formats.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::as_serialized;
using testing::gzip;
using testing::id_arc;
using testing::temporary_file;

class bad_files_test : public far::test::on_ranks {
 protected:
  weight_sign allowed_ = weight_sign::any;
  bool outgoing_ = true;

  std::string failure_of(const std::string& bytes, const std::string& name) {
    const temporary_file file(bytes, name);
    return failure_of_file(file.path());
  }
  std::string failure_of_file(const std::string& path) {
    try {
      run([&](far::world& world) {
        (void)read_graph(world, {.file = path}, {},
                         {.weights = true, .allowed = allowed_, .outgoing = outgoing_});
      });
    } catch (const bad_argument& failure) {
      const std::string what = failure.what();
      EXPECT_EQ(what.find('\n'), what.npos) << what;
      return what.starts_with(path) ? what.substr(path.size()) : what;
    }
    return "no failure";
  }

  void refuse(const std::string& bytes, const std::string& name, const std::string& start) {
    const std::string failure = failure_of(bytes, name);
    EXPECT_TRUE(failure.starts_with(start)) << failure;
  }
};

TEST_P(bad_files_test, weights) {
  refuse("1 2 .5\n2 3\n", "g.txt", ":2:4: no weight, which the file's first edge has; ");
  refuse("# c\n1 2\n2 3 1\n", "g.txt", ":3:5: a weight, which the file's first edge lacks; ");
  refuse("1 2 .5\n2 3 nan\n", "g.txt", ":2:5: expected a weight, found NaN");
  refuse("1 2 .5\n2 3 inf\n", "g.txt", ":2:5: expected a weight, found a number outside");
  refuse("1 2 .5\n2 3 x\n", "g.txt", ":2:5: expected a weight, found 'x'");
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n3 3 1\n";
  refuse(banner + "1 2 NaN\n", "g.mtx", ":3:5: expected the entry's value, found NaN");
  refuse(banner + "1 2\n", "g.mtx", ":3:4: expected the entry's value, found the end");
}

TEST_P(bad_files_test, negative_weights_where_they_must_not_be) {
  const std::string text = "1 2 .5\n2 3 -.5\n";
  const std::string matrix = "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 -1\n";
  const std::string rows = as_serialized({{0, 1, 1}, {1, 2, -2}}, 3, true, true);
  EXPECT_EQ(failure_of(text, "g.txt"), "no failure");
  EXPECT_EQ(failure_of(matrix, "g.mtx"), "no failure");
  EXPECT_EQ(failure_of(rows, "g.wsg"), "no failure");
  allowed_ = weight_sign::not_negative;
  refuse(text, "g.txt", ":2:5: expected a weight, found a negative number; weights are at least 0");
  refuse(matrix, "g.mtx", ":3:5: expected the entry's value, found a negative number");
  refuse(rows, "g.wsg", ": an edge of vertex ");
}

TEST_P(bad_files_test, dimacs_files) {
  const std::string head = "c x\np sp 3 2\na 1 2 5\n";
  refuse(head + "a 2 3 -1\n", "g.gr", ":4:7: expected the arc's weight, found a negative number");
  refuse(head + "a 2 3 nan\n", "g.gr", ":4:7: expected the arc's weight, found NaN");
  refuse(head + "a 2 3\n", "g.gr", ":4:6: expected the arc's weight, found the end");
  refuse(head + "a 2 4 1\n", "g.gr", ":4:5: vertex 4 outside 1..3");
  refuse(head + "e 2 3 1\n", "g.gr", ":4:1: expected an arc");
  refuse(head, "g.gr", ": the header promises 2 entries, the file has 1;");
  refuse("c only\n", "g.gr", ": ends before the line with the graph's size");
  refuse("p max 3 2\n", "g.gr", ":1:3: a problem that is not 'sp'");
  refuse("a 1 2 3\n", "g.gr", ":1:1: expected the line 'p sp VERTICES ARCS'");
  refuse("p sp 1152921504606846976 0\n", "g.gr",
         ": the header promises 1152921504606846976 vertic");
}

TEST_P(bad_files_test, metis_files) {
  refuse("3 2\n2\n1 3\n2\n1\n", "g.graph", ":5:1: a line after that of vertex 3");
  refuse("4 2\n2\n1 3\n2\n", "g.graph",
         ": the header promises 4 vertices, the file has lines for 3");
  refuse("3 3\n2\n1 3\n2\n", "g.graph",
         ": the header promises 3 edges, each in two lists, the list");
  refuse("3 2\n2\n1 4\n2\n", "g.graph", ":3:3: vertex 4 outside 1..3");
  refuse("3 1 1\n2 -1\n1 1\n\n", "g.graph",
         ":2:3: expected the weight of the edge, found a negative number");
  refuse("3 1 1\n2 nan\n1 1\n\n", "g.graph", ":2:3: expected the weight of the edge, found NaN");
  refuse("3 1 1\n2\n1 1\n\n", "g.graph", ":2:2: expected the weight of the edge, found the end");
  refuse("3 1 2\n2\n1\n\n", "g.graph", ":1:5: unknown format");
  refuse("% only\n", "g.graph", ": ends before the line with the graph's size");
  refuse("1152921504606846976 0\n", "g.graph",
         ": the header promises 1152921504606846976 vertices");
  refuse("4 2\n2 3\n\n1\n1\n", "g.graph", ": vertex ");
  refuse("3 2\n2\n1 3\n1\n", "g.graph", ": vertex ");
  refuse("2 1 1\n2 5\n1 4\n", "g.graph", ": the edge of vertices ");
}

TEST_P(bad_files_test, metis_lists_that_disagree) {
  // Two edges are in one list only; each rank names the first that it sees.
  const std::string end = "; list each edge at both of its vertices";
  const std::string failure = failure_of("4 2\n2 3\n\n1\n1\n", "g.graph");
  EXPECT_TRUE(failure == ": vertex 1 has neighbour 2, but 2 does not have 1" + end ||
              failure == ": vertex 4 has neighbour 1, but 1 does not have 4" + end)
      << failure;
  const std::string weights = failure_of("2 1 1\n2 5\n1 4\n", "g.graph");
  EXPECT_TRUE(weights.starts_with(": the edge of vertices ")) << weights;
  EXPECT_NE(weights.find(" in one list and "), weights.npos) << weights;
}

TEST_P(bad_files_test, ldbc_files) {
  const temporary_file file("1 2\n\n2 3\n3 7\n", "g.e");
  EXPECT_EQ(failure_of_file(file.path()).substr(0, 5), file.folder().substr(0, 5));  // names g.v
  std::ofstream(file.folder() + "/g.v") << "1\n2\n3\n";
  EXPECT_EQ(failure_of_file(file.path()),
            ":4:3: vertex 7 is not in " + file.folder() + "/g.v; add it there, or remove the edge");
  std::ofstream(file.folder() + "/g.v") << "1\n2\n3\n3000000000000\n";
  EXPECT_EQ(failure_of_file(file.path()).substr(0, 16), ":4:3: vertex 7 i");
  std::ofstream(file.folder() + "/g.v") << "1\n2 5\n3\n";
  const std::string failure = failure_of_file(file.folder() + "/g.v");
  EXPECT_EQ(failure.substr(0, 22), ":2:3: a second column;");
}

TEST_P(bad_files_test, serialized_files) {
  const std::vector<id_arc> arcs{{0, 1, 1}, {1, 2, 2}, {2, 0, 3}};
  const std::string good = as_serialized(arcs, 3, true, false);
  const auto changed = [&](std::size_t at, auto value) {
    std::string bytes = good;
    std::memcpy(&bytes[at], &value, sizeof value);
    return bytes;
  };
  EXPECT_EQ(failure_of(good, "g.sg"), "no failure");
  for (const std::size_t length : {std::size_t{18}, std::size_t{60}, good.size() - 1}) {
    refuse(good.substr(0, length), "g.sg", ": the header promises 3 vertices and 3 arcs, which ta");
  }
  refuse(good.substr(0, 9), "g.sg", ": has 9 bytes, less than the 17 of the head");
  refuse("", "g.sg", ": has 0 bytes, less than");
  refuse(good + "x", "g.sg",
         ": the header promises 3 vertices and 3 arcs, which take 105 bytes, bu");
  refuse(changed(9, std::int64_t{1} << 60), "g.sg",
         ": the header promises 1152921504606846976 vertices, but the format has at most");
  refuse(changed(1, std::int64_t{1} << 60), "g.sg",
         ": the header promises 1152921504606846976 arcs");
  refuse(changed(1, std::int64_t{-1}), "g.sg", ": the header promises 3 vertices and -1 arcs");
  refuse(changed(0, 'x'), "g.sg", ": begins with 'x', where a serialized graph has 0 or 1");
  refuse(changed(25, std::int64_t{3}), "g.sg", ": the offset of vertex 2's row is 2, less than");
  refuse(changed(25, std::int64_t{-1}), "g.sg", ": the offset of vertex ");
  refuse(changed(17, std::int64_t{1}), "g.sg",
         ": the offset of vertex 0's row is 1, but the first");
  refuse(changed(41, std::int64_t{2}), "g.sg", ": the offset of vertex 3's row is 2, but the last");
  refuse(changed(53, std::int32_t{3}), "g.sg", ": neighbour 3 of vertex 1 is outside 0..2");
  refuse(changed(97, std::int32_t{-1}), "g.sg", ": neighbour -1 of vertex 1 is outside 0..2");
  refuse(good, "g.wsg", ": has the size of a graph without weights; give it the ending sg");
  refuse(gzip(good), "g.sg", ": is packed");
  refuse(changed(49, std::int32_t{2}), "g.sg", ": has an arc in its outgoing rows and not in its");
  refuse(as_serialized(arcs, 3, false, false), "g.sg",
         ": is undirected, but an edge is in the row");
}

// Outgoing rows come first in a file, and are checked although only incoming ones are wanted.
TEST_P(bad_files_test, serialized_files_are_checked_whole) {
  outgoing_ = false;
  const std::string good = as_serialized({{0, 1, 1}, {1, 2, 2}, {2, 0, 3}}, 3, true, false);
  const auto changed = [&](std::size_t at, auto value) {
    std::string bytes = good;
    std::memcpy(&bytes[at], &value, sizeof value);
    return bytes;
  };
  EXPECT_EQ(failure_of(good, "g.sg"), "no failure");
  refuse(changed(25, std::int64_t{3}), "g.sg", ": the offset of vertex 2's row is 2, less than");
  refuse(changed(53, std::int32_t{3}), "g.sg", ": neighbour 3 of vertex 1 is outside 0..2");
  refuse(changed(49, std::int32_t{2}), "g.sg", ": has an arc in its outgoing rows and not in its");
}

TEST_P(bad_files_test, random_serialized_files) {
  std::mt19937 random(1);
  const auto arcs = testing::random_weighted_edges(1, 12, 30);
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    const bool weighted = round % 2 == 0;
    std::string bytes = as_serialized(arcs, 12, round % 3 != 0, weighted);
    for (std::size_t change = 0; change <= random() % 3; ++change) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (round % 7 == 0) bytes.resize(random() % bytes.size());
    refused += failure_of(bytes, weighted ? "g.wsg" : "g.sg") != "no failure";
  }
  EXPECT_GT(refused, 30);
}

INSTANTIATE_TEST_SUITE_P(on, bad_files_test,
                         ::testing::Values(far::test::ranks{job_mode::threads, 1},
                                           far::test::ranks{job_mode::threads, 3},
                                           far::test::ranks{job_mode::processes, 2},
                                           far::test::ranks{job_mode::processes, 4}),
                         far::test::name_of);

}  // namespace
}  // namespace far::apps
