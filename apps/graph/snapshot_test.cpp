// The snapshot of Debian's dependencies that the demo and tests use, and the tool that creates it.
#include <sys/wait.h>

#include <cstdio>
#include <sstream>

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"
#include "apps/graph/oracle.hpp"
#include "apps/graph/reader.hpp"

namespace far::apps {
namespace {

using testing::memory_file;
using testing::source_file;
using testing::temporary_file;

TEST(snapshot, is_what_its_readme_says) {
  whole_graph read = read_whole_graph(source_file("data/debian-12-packages.txt.xz"));
  EXPECT_EQ(read.names.size(), 59564U);
  const oracle::graph g = oracle::build(std::move(read.edges), {});
  EXPECT_EQ(g.ids.size(), 59564U);
  EXPECT_EQ(g.edges, 264466U);
  const oracle::components_result components = oracle::components(g);
  EXPECT_EQ(components.count, 147U);
  EXPECT_EQ(components.largest, 59076U);
  const auto top = oracle::top(oracle::pagerank(g).ranks, 3);
  EXPECT_EQ(read.names.at(g.ids[top[0]]), "libc6");
  EXPECT_EQ(read.names.at(g.ids[top[1]]), "libgcc-s1");
  EXPECT_EQ(read.names.at(g.ids[top[2]]), "gcc-12-base");
}

TEST(snapshot, is_small) {
  EXPECT_LE(std::filesystem::file_size(source_file("data/debian-12-packages.txt.xz")), 2U << 20);
}

struct tool_outcome {
  int status = -1;
  std::string output;  // standard output and standard error
};

tool_outcome run_tool(const std::string& arguments) {
  const std::string command =
      "python3 '" + source_file("tools/debian-graph/debian_graph.py") + "' " + arguments + " 2>&1";
  FILE* const pipe = ::popen(command.c_str(), "r");
  tool_outcome result;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) {
    result.output.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

class debian_graph : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run_tool("--help").status != 0) GTEST_SKIP() << "python3 is absent; install it";
  }

  std::string index_ = "'" + source_file("test/data/debian-index.txt") + "'";
};

// Lines `from to` with names, in file order.
std::string edges_by_name(const whole_graph& g) {
  std::ostringstream out;
  for (const edge& e : g.edges) out << g.names.at(e.from) << ' ' << g.names.at(e.to) << '\n';
  return out.str();
}

TEST_F(debian_graph, follows_its_rules) {
  const tool_outcome made = run_tool(index_ + " --note 'made by a test'");
  ASSERT_EQ(made.status, 0) << made.output;
  EXPECT_NE(made.output.find("\n# made by a test\n# Nodes: 8 Edges: 8\n"
                             "# left out: 1 packages without edges, 2 dependencies that no "
                             "package satisfies\n# vertex 0 amail\n"),
            std::string::npos)
      << made.output;
  const memory_file file(made.output);
  const whole_graph g = read_whole_graph(file.path());
  EXPECT_EQ(g.names.size(), 8U);
  EXPECT_EQ(edges_by_name(g),
            "app amail\n"  // a virtual package: its provider with the smallest name
            "app base\n"
            "app liba\n"  // the first of two alternatives
            "app libb\n"
            "app long-line-dep\n"
            "app old-lib\n"  // another version
            "libb liba\n"    // only once
            "zmail amail\n");
}

TEST_F(debian_graph, packs_and_repeats_itself) {
  const std::string plain = run_tool(index_).output;
  for (const char* name : {"a.txt", "a.txt.xz", "a.txt.gz"}) {
    const temporary_file file("", name);
    EXPECT_EQ(run_tool("- -o '" + file.path() + "' < " + index_).output, "");
    const temporary_file expected(plain);
    EXPECT_EQ(read_whole_graph(file.path()).edges, read_whole_graph(expected.path()).edges);
    EXPECT_EQ(std::filesystem::file_size(file.path()) == plain.size(),
              name == std::string("a.txt"));
  }
}

TEST_F(debian_graph, says_what_is_wrong) {
  const auto expect_failure = [](const std::string& arguments, std::string_view what) {
    const tool_outcome failed = run_tool(arguments);
    EXPECT_NE(failed.status, 0);
    EXPECT_NE(failed.output.find(what), std::string::npos) << failed.output;
    EXPECT_EQ(failed.output.find('\n'), failed.output.size() - 1) << failed.output;
  };
  expect_failure("/no/such/file", "No such file");
  expect_failure("- < /dev/null", "no packages; run apt-get update");
  const memory_file other("1 2\n3 4\n");
  expect_failure("'" + other.path() + "'", "line 1: expected 'Field: value', found '1 2'");
  const memory_file binary(std::string("\x1f\x8b\x08\0\xff\xfe", 6));
  expect_failure("'" + binary.path() + "'", "line 1: expected");
  expect_failure(index_ + " -o /no/such/folder/file", "No such file");
}

}  // namespace
}  // namespace far::apps
