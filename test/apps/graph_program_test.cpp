// far-graph as a user runs it: its results, its JSON, and its messages for bad input.

#include <fstream>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "apps/common/test_files.hpp"
#include "test/apps/programs.hpp"

namespace {

using far::apps::testing::gzip;
using far::apps::testing::source_file;
using far::apps::testing::temporary_file;
using far::apps::testing::xz;
using far::test::built;
using far::test::expect_help;
using far::test::expect_progress;
using far::test::expect_refusal;
using far::test::expect_refusals;
using far::test::far_run;
using far::test::json_of;
using far::test::keys_of;
using far::test::output_of;
using far::test::ways_to_run;
using far::test::with;
using far::test::words;
using nlohmann::json;

constexpr const char* graph_program = "far-graph";

std::string example_graph() { return source_file("test/data/graph/example.txt"); }
std::string packages() { return source_file("data/debian-12-packages.txt.xz"); }

std::string example_text() {
  std::ostringstream text;
  text << std::ifstream(example_graph()).rdbuf();
  return text.str();
}

TEST(far_graph, answers_in_json) {
  for (const words& way : ways_to_run(graph_program)) {
    const json ranks = json_of(with(way, {"pagerank", "--json", example_graph()}));
    EXPECT_EQ(keys_of(ranks),
              (std::set<std::string>{"vertices", "edges", "iterations", "converged", "change",
                                     "sum", "engine", "seconds_per_iteration", "top"}));
    EXPECT_EQ(ranks["converged"], true);
    EXPECT_LT(ranks["change"].get<double>(), 1e-10);
    EXPECT_EQ(ranks["vertices"], 7);
    EXPECT_EQ(ranks["edges"], 6);
    EXPECT_NEAR(ranks["sum"].get<double>(), 1, 1e-12);
    EXPECT_GE(ranks["seconds_per_iteration"].get<double>(), 0);
    ASSERT_EQ(ranks["top"].size(), 7U);
    EXPECT_EQ(ranks["top"][0]["id"], 30);
    EXPECT_EQ(ranks["top"][1]["id"], 10);
    EXPECT_EQ(ranks["top"][1]["name"], "ten");
    EXPECT_EQ(ranks["top"][3]["id"], 9223372036854775807);
    EXPECT_EQ(ranks["top"][4]["id"], -3);  // of equal ranks, the smaller id comes first
    EXPECT_EQ(ranks["top"][5]["id"], 7);
    EXPECT_GT(ranks["top"][0]["rank"].get<double>(), ranks["top"][1]["rank"].get<double>());

    const json parts = json_of(with(way, {"components", "--json", example_graph()}));
    EXPECT_EQ(keys_of(parts), (std::set<std::string>{"vertices", "edges", "components", "largest",
                                                     "seconds_components"}));
    EXPECT_EQ(parts["components"], 3);
    EXPECT_EQ(parts["largest"], 4);
  }
}

TEST(far_graph, summarises_both) {
  const json both = json_of(far_run(
      {"-n", "3", built(graph_program), "summary", "--json", "--top", "1", example_graph()}));
  EXPECT_EQ(keys_of(both),
            (std::set<std::string>{"vertices", "edges", "components", "largest",
                                   "seconds_components", "iterations", "converged", "change", "sum",
                                   "engine", "seconds_per_iteration", "top"}));
  EXPECT_EQ(both["top"].size(), 1U);
}

TEST(far_graph, verifies_itself) {
  for (const words& way : ways_to_run(graph_program)) {
    for (const char* command : {"pagerank", "components", "summary"}) {
      const std::string text = output_of(with(way, {command, "--verify", example_graph()}));
      EXPECT_NE(text.find("\nverified  "), std::string::npos) << text;
    }
  }
  const std::string text = output_of(far_run(
      {"-n", "4", built(graph_program), "summary", "--undirected", "--verify", packages()}));
  EXPECT_NE(text.find("\nverified  "), std::string::npos) << text;
}

TEST(far_graph, knows_the_packages_by_name) {
  const json result =
      json_of(far_run({"-n", "4", built(graph_program), "summary", "--json", packages()}));
  EXPECT_EQ(result["vertices"], 59564);
  EXPECT_EQ(result["edges"], 264466);
  EXPECT_EQ(result["components"], 147);
  EXPECT_EQ(result["largest"], 59076);
  EXPECT_EQ(result["top"][0]["name"], "libc6");
  EXPECT_EQ(result["top"][1]["name"], "libgcc-s1");
  EXPECT_EQ(result["top"][2]["name"], "gcc-12-base");
}

TEST(far_graph, prints_a_table) {
  const std::string text =
      output_of({built(graph_program), "pagerank", "--top", "2", example_graph()});
  EXPECT_EQ(text.substr(0, text.find("time per iteration")),
            "   PageRank  vertex  id\n"
            "-  --------  ------  --\n"
            "1  0.344423          30\n"
            "2  0.325529  ten     10\n"
            "\n"
            "vertices            7\n"
            "edges               6\n"
            "iterations          45, last change 5.3e-11\n"
            "sum of ranks        1.000000000000\n"
            "engine              exchange\n");
}

TEST(far_graph, says_that_it_did_not_converge) {
  const temporary_file star("1 2\n1 3\n2 1\n3 1\n");  // has period 2
  const std::string line =
      "not converged       the last change is not below --tolerance; raise "
      "--iterations, or lower --damping\n";
  const auto result_of = [&](const words& options) {
    const words command = with({built(graph_program), "summary", star.path()}, options);
    const json result = json_of(with(command, {"--json"}));
    const bool converged = result["converged"].get<bool>();
    EXPECT_EQ(output_of(command).find("\n" + line) == std::string::npos, converged);
    return std::pair(result["iterations"].get<int>(), converged);
  };
  EXPECT_EQ(result_of({"--damping", "1"}), std::pair(200, false));
  EXPECT_EQ(result_of({"--iterations", "3"}), std::pair(3, false));
  EXPECT_EQ(result_of({"--damping", "0.5"}).second, true);
  // A tolerance of 0 means the full number of iterations; the last of them changes nothing.
  EXPECT_EQ(result_of({"--damping", "0", "--tolerance", "0"}), std::pair(200, true));
}

// The banners of whole public collections have one %.
TEST(far_graph, reads_a_matrix_whose_banner_has_one_sign) {
  const temporary_file file(
      "%MatrixMarket matrix coordinate pattern symmetric\n6 6 3\n2 1\n3 1\n4 3\n", "one.mtx");
  for (const words& way : ways_to_run(graph_program)) {
    const json result = json_of(with(way, {"components", "--json", "--verify", file.path()}));
    EXPECT_EQ(result["vertices"], 6);
    EXPECT_EQ(result["components"], 3);
  }
}

TEST(far_graph, takes_options) {
  const auto result_of = [](const words& options) {
    return json_of(with(far_run({"-n", "2", built(graph_program), "summary", "--json"}),
                        with(options, {example_graph()})));
  };
  EXPECT_EQ(result_of({"--keep-duplicates"})["edges"], 7);
  EXPECT_EQ(result_of({"--keep-loops"})["edges"], 8);
  EXPECT_EQ(result_of({"--keep-loops", "--keep-duplicates", "--undirected"})["edges"], 9);
  EXPECT_EQ(result_of({"--iterations", "3"})["iterations"], 3);
  EXPECT_EQ(result_of({"--top", "0"})["top"].size(), 0U);
  EXPECT_LT(result_of({"--tolerance", "1e-3"})["iterations"], 45);
  EXPECT_NEAR(result_of({"--damping", "0"})["top"][0]["rank"].get<double>(), 1.0 / 7, 1e-12);
}

TEST(far_graph, reads_packed_files_and_pipes) {
  const temporary_file gz(gzip(example_text()));
  const temporary_file packed(xz(example_text()));
  const auto answer = [](const json& result) {
    return std::pair(result["edges"].get<int>(), result["components"].get<int>());
  };
  for (const std::string& path : {gz.path(), packed.path()}) {
    const json result =
        json_of(far_run({"-n", "3", built(graph_program), "components", "--json", path}));
    EXPECT_EQ(answer(result), std::pair(6, 3));
  }
  // Only rank 0 can read it.
  const std::string shell = "cat '" + example_graph() + "' | '" + built("far") + "' run -n 3 '" +
                            built(graph_program) + "' components --json /dev/stdin";
  EXPECT_EQ(answer(json_of({"sh", "-c", shell})), std::pair(6, 3));
}

TEST(far_graph, of_no_edges_has_no_ranks) {
  const temporary_file file("# nothing\n");
  for (const words& way : ways_to_run(graph_program)) {
    const json result = json_of(with(way, {"summary", "--json", "--verify", file.path()}));
    EXPECT_EQ(result["vertices"], 0);
    EXPECT_EQ(result["components"], 0);
    EXPECT_EQ(result["iterations"], 0);
    EXPECT_TRUE(result["top"].empty());
  }
}

TEST(far_graph, refuses_wrong_command_lines) {
  expect_refusals(graph_program, {}, "no command");
  expect_refusals(graph_program, {"rank", example_graph()}, "there is no command 'rank'");
  expect_refusals(graph_program, {"pagerank"}, "FILE is required");
  expect_refusals(graph_program, {"pagerank", "--top", "x", example_graph()},
                  "--top: 'x' is no number");
  const auto refuse = [](const words& arguments, std::string_view what) {
    expect_refusal(with({built(graph_program), "pagerank"}, arguments), what);
  };
  refuse({"--top", "-1", example_graph()}, "--top: '-1' is no number");
  refuse({"--rmat", "41"}, "--rmat: '41' is no number from 0 to 40");
  refuse({"--rmat", "3", example_graph()}, "--rmat generates a graph, so FILE is not read");
  refuse({"--seed", "3", example_graph()}, "--edge-factor and --seed describe the graph of --rmat");
  refuse({"--format", "x", example_graph()},
         "'x' is none of auto, edges, mtx, gr, metis, ldbc, sg");
  refuse({"--unknown", example_graph()}, "--unknown");
  refuse({example_graph(), "another"}, "another");
  refuse({"--damping", "1.5", example_graph()}, "--damping: '1.5' is no number from 0 to 1");
  refuse({"--damping", "nan", example_graph()}, "--damping: 'nan' is no number from 0 to 1");
  refuse({"--tolerance", "-1", example_graph()}, "--tolerance: '-1' is no number");
  refuse({"--iterations", "0", example_graph()}, "--iterations: '0' is no number from 1");
  expect_refusal({built(graph_program), "components", "--top", "3", example_graph()}, "--top");
}

TEST(far_graph, refuses_bad_files) {
  const auto refuse = [](const std::string& path, const std::string& what) {
    expect_refusals(graph_program, {"summary", path}, path + what);
  };
  const temporary_file letter("1 2\n# fine\n3 x\n", "letter.txt");
  refuse(letter.path(), ":3:3: ");
  const temporary_file packed_letter(gzip("1 2\n\n3 4\nx\n"), "letter.gz");
  refuse(packed_letter.path(), ":4:1: ");
  const temporary_file cut(gzip(example_text()).substr(0, 100), "cut.gz");
  refuse(cut.path(), ": ");
  refuse(letter.folder() + "/missing", ": cannot open: No such file or directory");
  refuse(letter.folder(), ": is a directory");
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  const temporary_file outside(banner + "3 3 2\n1 2\n3 4\n", "outside.mtx");
  refuse(outside.path(), ":4:3: vertex 4 outside 1..3");
  const temporary_file short_of(banner + "3 3 2\n1 2\n", "short.mtx");
  refuse(short_of.path(), ": the header promises 2 entries, the file has 1");
  const temporary_file absurd(banner + "1000000000000 1000000000000 1\n1 2\n", "absurd.mtx");
  refuse(absurd.path(), ": the header promises 1000000000000 vertices, which take about");
}

TEST(far_graph, refuses_to_verify_a_pipe) {
  const std::string shell = "cat '" + example_graph() + "' | '" + built(graph_program) +
                            "' components --verify /dev/stdin";
  expect_refusal({"sh", "-c", shell}, "/dev/stdin: can be read only once, as a pipe");
}

TEST(far_graph, reads_other_formats_from_pipes) {
  const std::string lists = "printf '3 2\\n2\\n1 3\\n2\\n' | '" + built("far") + "' run -n 3 '" +
                            built(graph_program) + "' components --json --format ";
  EXPECT_EQ(json_of({"sh", "-c", lists + "metis /dev/stdin"})["edges"], 2);
  expect_refusal({"sh", "-c", lists + "sg /dev/stdin"}, "cannot be read from the middle");
}

TEST(far_graph, says_when_its_input_is_closed) {
  const std::string command = "'" + built(graph_program) + "' components /dev/stdin <&-";
  const std::string far = "'" + built("far") + "' ";
  for (const std::string& start : {std::string(), far + "run -n 2 ", far + "sim -n 2 "}) {
    expect_refusal({"sh", "-c", start + command}, "/dev/stdin: ");
  }
}

TEST(far_graph, says_when_its_result_is_lost) {
  for (const char* options : {"", "--json", "--help"}) {
    const std::string shell = "'" + built(graph_program) + "' components " + options + " '" +
                              example_graph() + "' > /dev/full";
    expect_refusal({"sh", "-c", shell}, "cannot write the result to standard output");
    expect_refusal({"sh", "-c", "'" + built("far") + "' run -n 2 " + shell},
                   "No space left on device");
  }
}

TEST(far_graph, says_when_standard_output_is_closed) {
  const std::string command = "'" + built(graph_program) + "' components '" + example_graph() + "'";
  const std::string simulated = "'" + built("far") + "' sim -n 3 " + command;
  const std::string what = "far: cannot write the result to standard output: ";
  for (const std::string& line : {command, simulated}) {
    expect_refusal({"sh", "-c", line + " >/dev/full"}, what + "No space left on device\n");
    expect_refusal({"sh", "-c", line + " >&-"}, what + "Bad file descriptor\n");
    expect_refusal({"sh", "-c", line + " <&- >&-"}, what + "Bad file descriptor\n");
  }
  const std::string launched = "'" + built("far") + "' run -n 3 " + command;
  expect_refusal({"sh", "-c", launched + " >&-"},
                 "far run: cannot write the ranks' output: Bad file descriptor\n");
}

TEST(far_graph, needs_no_other_standard_stream) {
  const std::string command = "'" + built(graph_program) + "' components '" + example_graph() + "'";
  EXPECT_EQ(output_of({"sh", "-c", command + " <&-"}).find("vertices            7\n"), 0U);
  EXPECT_EQ(output_of({"sh", "-c", command + " 2>&-"}).find("vertices            7\n"), 0U);
}

TEST(far_graph, generates_graphs) {
  const auto result_of = [](const words& way, const words& options) {
    json result = json_of(with(way, with({"summary", "--json", "--rmat", "8"}, options)));
    for (const char* time : {"seconds_per_iteration", "seconds_components"}) result.erase(time);
    return result;
  };
  for (const words& options : {words{"--verify"}, words{"--edge-factor", "3", "--seed", "5"}}) {
    const json alone = result_of({built(graph_program)}, options);
    EXPECT_EQ(alone["vertices"], 256);
    for (const words& way : ways_to_run(graph_program)) {
      const json result = result_of(way, options);
      for (const char* number : {"vertices", "edges", "components", "largest"}) {
        EXPECT_EQ(result[number], alone[number]) << number;
      }
      EXPECT_EQ(result["top"][0]["id"], alone["top"][0]["id"]);
    }
  }
}

TEST(far_graph, converts_graphs) {
  const temporary_file text("0 1 2\n1 2 3\n2 0 4\n4 4 9\n", "g.txt");
  const std::string folder = text.folder() + "/";
  for (const words& way : ways_to_run(graph_program)) {
    const json result = json_of(with(way, {"convert", "--json", text.path(), folder + "g.wsg"}));
    EXPECT_EQ(keys_of(result),
              (std::set<std::string>{"vertices", "edges", "output", "vertices_written", "bytes"}));
    EXPECT_EQ(result["vertices"], 4);
    EXPECT_EQ(result["edges"], 3);
    EXPECT_EQ(result["vertices_written"], 5);
    EXPECT_EQ(result["bytes"], 17 + 2 * (6 * 8 + 3 * 8));
    const json read = json_of(with(way, {"summary", "--json", "--verify", folder + "g.wsg"}));
    EXPECT_EQ(read["vertices"], 5);
    EXPECT_EQ(read["edges"], 3);
    EXPECT_EQ(read["components"], 3);
    output_of(with(way, {"convert", folder + "g.wsg", folder + "g.wel"}));
    std::ostringstream lines;
    lines << std::ifstream(folder + "g.wel").rdbuf();
    EXPECT_EQ(lines.str(), "0 1 2\n1 2 3\n2 0 4\n");
  }
  const std::string shown =
      output_of({built(graph_program), "convert", "--renumber", "--rmat", "3", folder + "r.sg"});
  EXPECT_NE(shown.find("written             " + folder + "r.sg, "), std::string::npos) << shown;
}

TEST(far_graph, refuses_to_convert_what_it_cannot) {
  const temporary_file text("0 1\n-1 2\n", "g.txt");
  const auto refuse = [&](const words& arguments, std::string_view what) {
    expect_refusals(graph_program, with({"convert"}, arguments), what);
  };
  refuse({text.path()}, "OUTPUT is required");
  refuse({text.path(), text.folder() + "/g.mtx"}, "use one of .sg, .wsg, .el, .wel");
  refuse({text.path(), text.folder() + "/g.sg"}, "a serialized graph has no vertex -1");
  refuse({text.path(), text.folder() + "/g.wsg"}, "the graph has none; write a .sg");
  refuse({text.path(), text.folder() + "/missing/g.el"}, "cannot create: No such file");
  refuse({"--rmat", "3", text.path(), text.folder() + "/g.sg"}, "give one of them");
}

TEST(far_graph, says_how_much_memory_is_missing) {
  expect_refusals(graph_program, {"pagerank", "--rmat", "40"}, " GB are missing; choose a smaller");
  const temporary_file header("p sp 1000 1000000000000\n", "g.gr");
  expect_refusals(
      graph_program, {"pagerank", header.path()},
      ": the header promises 1000 vertices and 1000000000000 entries, which take about");
}

TEST(far_graph, shows_progress_on_a_terminal) {
  expect_progress({built(graph_program), "pagerank", packages()}, {"reading ", "pagerank  ["});
}

TEST(far_graph, helps) {
  expect_help(graph_program, {{"--help"},
                              {"pagerank", "--help"},
                              {"components", "-h"},
                              {"summary", "--help"},
                              {"bfs", "--help"},
                              {"sssp", "--help"},
                              {"communities", "--help"},
                              {"convert", "--help"}});
}

}  // namespace
