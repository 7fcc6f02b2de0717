// Loads whole files, builds the graphs and runs both computations, on ranks as threads and
// processes; compares with the oracle and with the figures of the files' sources.

#include <filesystem>

#include "apps/common/test_files.hpp"
#include "apps/graph/load.hpp"
#include "apps/graph/reader.hpp"
#include "apps/graph/test_graphs.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::expect_components;
using testing::expect_ranks;
using testing::gzip;
using testing::know;
using testing::known_graph;
using testing::shared_data;
using testing::source_file;
using testing::temporary_file;
using testing::xz;

known_graph know_file(const std::string& path, graph_options options = {}) {
  whole_graph whole = read_whole_graph(path);
  return know(std::move(whole.edges), options, whole.header);
}

/// Collective: loads and checks a file like far-graph. Returns the names in this rank's part.
std::unordered_map<std::int64_t, std::string> expect_file(world& world, const std::string& path,
                                                          const known_graph& known) {
  loaded_part part = load_graph(world, {path});
  const local_graph graph = build_graph(world, std::move(part.edges), known.options, part.vertices);
  EXPECT_EQ(graph.vertices, known.graph.ids.size());
  EXPECT_EQ(graph.edges, known.graph.edges);
  expect_ranks(world, graph, known, {});
  expect_components(world, graph, known);
  return part.names;
}

struct real_graph {
  const char* file;
  bool undirected;
  std::uint64_t vertices, edges, components;
};

class real_graphs_test : public far::test::on_ranks {
 protected:
  void check(const std::string& path, const real_graph& real) {
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set FAR_TEST_DATA";
    const known_graph known = know_file(path, {.undirected = real.undirected});
    EXPECT_EQ(known.graph.ids.size(), real.vertices);
    EXPECT_EQ(known.graph.edges, real.edges);
    EXPECT_EQ(known.components.count, real.components);
    run([&](far::world& world) { (void)expect_file(world, path, known); });
  }
};

TEST_P(real_graphs_test, debian_packages) {
  const std::string path = source_file("data/debian-12-packages.txt.xz");
  const known_graph known = know_file(path);
  ASSERT_EQ(known.graph.ids.size(), 59564U);
  EXPECT_EQ(known.graph.edges, 264466U);
  EXPECT_EQ(known.components.count, 147U);
  EXPECT_EQ(known.components.largest, 59076U);
  run([&](far::world& world) {
    const auto known_here = expect_file(world, path, known);
    const auto first = oracle::top(known.pagerank.ranks, 3);
    std::vector<top_vertex> top;
    for (const std::uint32_t v : first) top.push_back({known.graph.ids[v], 0});
    EXPECT_EQ(names_of(world, top, known_here),
              (std::vector<std::string>{"libc6", "libgcc-s1", "gcc-12-base"}));
  });
}

TEST_P(real_graphs_test, wiki_vote) {
  check(shared_data("wiki-Vote.txt.xz"), {"wiki-Vote", false, 7115, 103689, 24});
}

TEST_P(real_graphs_test, email_enron) {
  check(shared_data("email-enron-und.el.xz"), {"email-enron", true, 36692, 183831, 1065});
}

INSTANTIATE_TEST_SUITE_P(on, real_graphs_test,
                         ::testing::Values(far::test::ranks{job_mode::threads, 1},
                                           far::test::ranks{job_mode::threads, 3},
                                           far::test::ranks{job_mode::threads, 8},
                                           far::test::ranks{job_mode::processes, 2},
                                           far::test::ranks{job_mode::processes, 4},
                                           far::test::ranks{job_mode::processes, 8}),
                         far::test::name_of);

// Larger graphs, so on one kind of job only.
class large_graphs_test : public real_graphs_test {};

TEST_P(large_graphs_test, ego_twitter) {
  check(shared_data("ego-twitter-und.el.xz"), {"ego-twitter", true, 81306, 1342296, 1});
}

INSTANTIATE_TEST_SUITE_P(on, large_graphs_test,
                         ::testing::Values(far::test::ranks{job_mode::processes, 3}),
                         far::test::name_of);

class graph_files_test : public far::test::on_ranks {
 protected:
  graph_files_test() {
    seeds = 2;
    allowed = far::test::run_size::any;  // PageRank takes a hundred iterations of any graph
  }
};

TEST_P(graph_files_test, are_read_alike_whatever_their_form) {
  for (const char* name : {"example.txt", "general.mtx", "symmetric.mtx", "weighted.txt"}) {
    SCOPED_TRACE(name);
    const std::string path = source_file(std::string("test/data/graph/") + name);
    const known_graph known = know_file(path);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const temporary_file gz(gzip(text.str()));
    const temporary_file packed(xz(text.str()));
    for (const std::string& form : {path, gz.path(), packed.path()}) {
      run([&](far::world& world) { (void)expect_file(world, form, known); });
    }
  }
}

TEST_P(graph_files_test, of_no_edges_are_graphs) {
  for (const char* text : {"", "# nothing\n", "\n\n"}) {
    const temporary_file file(text);
    const known_graph known = know_file(file.path());
    run([&](far::world& world) { (void)expect_file(world, file.path(), known); });
  }
}

TEST_P(graph_files_test, that_are_wrong_fail_on_the_caller_too) {
  const auto failure_of = [&](std::string_view text) {
    const temporary_file file(text);
    try {
      run([&](far::world& world) { (void)load_graph(world, {file.path()}); });
    } catch (const bad_argument& failure) {
      return std::string(failure.what()).substr(file.path().size());
    }
    return std::string("no failure");
  };
  EXPECT_EQ(failure_of("1 2\n3 x\n").substr(0, 6), ":2:3: ");
  EXPECT_EQ(failure_of(gzip("1 2\n3 x\n")).substr(0, 6), ":2:3: ");
  EXPECT_NE(failure_of(gzip("1 2\n3 4\n").substr(0, 20)).find("ends too early"), std::string::npos);
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_EQ(failure_of(banner + "3 3 1\n1 4\n").substr(0, 6), ":3:3: ");
  EXPECT_NE(failure_of(banner + "3 3 2\n1 2\n").find("promises 2 entries, the file has 1"),
            std::string::npos);
  EXPECT_NE(failure_of(banner + "9000000000000000000 9000000000000000000 1\n1 2\n")
                .find("promises 9000000000000000000 vertices"),
            std::string::npos);
}

INSTANTIATE_FAR_MODES_ON(graph_files_test, 1, 2, 3, 8);

}  // namespace
}  // namespace far::apps
