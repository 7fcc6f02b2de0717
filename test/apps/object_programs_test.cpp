// far-water and far-lu as a user runs them: their results, their JSON, and their messages for bad
// input.

#include <cmath>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "test/apps/programs.hpp"

namespace {

using far::test::built;
using far::test::expect_help;
using far::test::expect_progress;
using far::test::expect_refusal;
using far::test::expect_refusals;
using far::test::json_of;
using far::test::keys_of;
using far::test::output_of;
using far::test::ways_to_run;
using far::test::with;
using far::test::words;
using nlohmann::json;

/// Combinations of ranks, threads and protocols.
std::vector<words> ways_to_share(const std::string& program) {
  std::vector<words> ways;
  for (const words& way : ways_to_run(program)) {
    ways.push_back(with(way, {"--protocol", "invalidate"}));
    ways.push_back(with(way, {"--threads", "2"}));
  }
  ways.push_back({"env", "FAR_SIM_RANKS=8", built(program), "--threads", "2"});
  return ways;
}

TEST(far_water, energies_do_not_depend_on_ranks) {
  const words asked{"--molecules", "27", "--steps", "3", "--verify", "--json"};
  const json alone = json_of(with({built("far-water")}, asked));
  EXPECT_EQ(keys_of(alone),
            (std::set<std::string>{"molecules", "ranks", "threads", "protocol", "steps", "seconds",
                                   "seconds_per_step", "verified"}));
  EXPECT_EQ(alone["molecules"], 27);
  ASSERT_EQ(alone["steps"].size(), 4U);
  EXPECT_EQ(keys_of(alone["steps"][0]),
            (std::set<std::string>{"kinetic", "bonded", "pairs", "total", "temperature"}));
  const double scale = alone["steps"][0]["kinetic"].get<double>();
  EXPECT_GT(scale, 0);
  for (const words& way : ways_to_share("far-water")) {
    const json shared = json_of(with(way, asked));
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(shared["steps"][i]["total"].get<double>(),
                  alone["steps"][i]["total"].get<double>(), 1e-9 * scale);
    }
  }
}

TEST(far_water, prints_a_table) {
  const std::string text = output_of({built("far-water"), "--molecules", "8", "--steps", "2"});
  EXPECT_EQ(text.find("step    kinetic"), 0U) << text;
  EXPECT_NE(text.find("\nmolecules           8\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nenergies in         kcal/mol\n"), std::string::npos) << text;
}

TEST(far_water, refuses_wrong_requests) {
  const std::string program = "far-water";
  expect_refusals(program, {"--molecules", "500"}, "--molecules: 500 is no cube");
  const auto refuse = [&](const words& arguments, std::string_view what) {
    expect_refusal(with({built(program)}, arguments), what);
  };
  refuse({"--molecules", "0"}, "--molecules: '0' is no number from 1");
  refuse({"--steps", "x"}, "--steps: 'x' is no number");
  refuse({"--threads", "0"}, "--threads: '0' is no number from 1 to 14");
  refuse({"--protocol", "hope"}, "--protocol: 'hope' is none of automatic, invalidate");
  refuse({"--unknown"}, "--unknown");
  refuse({"--threads", "40"}, "--threads: '40' is no number from 1 to 14");
}

TEST(far_lu, factors_and_checks) {
  const words asked{"--n", "70", "--block", "16", "--verify", "--json"};
  const json alone = json_of(with({built("far-lu")}, asked));
  EXPECT_EQ(keys_of(alone),
            (std::set<std::string>{"n", "block", "ranks", "threads", "protocol", "log_determinant",
                                   "seconds", "gflops", "residual"}));
  EXPECT_EQ(alone["n"], 70);
  EXPECT_EQ(alone["block"], 16);
  EXPECT_NEAR(alone["log_determinant"].get<double>(), 70 * std::log(70), 2);
  for (const words& way : ways_to_share("far-lu")) {
    const json shared = json_of(with(way, asked));
    EXPECT_EQ(shared["log_determinant"], alone["log_determinant"]);
    EXPECT_LT(shared["residual"].get<double>(), 1e-10);
    EXPECT_GT(shared["residual"].get<double>(), 0);
  }
}

TEST(far_lu, refuses_wrong_requests) {
  const std::string program = "far-lu";
  expect_refusals(program, {"--n", "0"}, "--n: '0' is no number from 1");
  const auto refuse = [&](const words& arguments, std::string_view what) {
    expect_refusal(with({built(program)}, arguments), what);
  };
  refuse({"--block", "91"}, "--block: '91' is no number from 1 to 90");
  refuse({"--protocol", "hope"}, "--protocol: 'hope' is none of automatic, invalidate");
  refuse({"--threads", "40"}, "--threads: '40' is no number from 1 to 14");
  refuse({"64"}, "64");
}

/// What a worker runs out of ends all of them, with one line.
TEST(object_programs, end_when_memory_ends) {
  for (const words& way : ways_to_run("far-water")) {
    const words command =
        with({"env", "FAR_OBJECT_HEAP=64K"}, with(way, {"--molecules", "8", "--steps", "9999"}));
    expect_refusal(command, "FAR_OBJECT_HEAP");
  }
}

TEST(object_programs, show_progress_on_a_terminal) {
  expect_progress({built("far-water")}, {"simulating  ["});
  expect_progress({built("far-lu")}, {"factoring  ["});
}

TEST(object_programs, help) {
  for (const char* program : {"far-water", "far-lu"}) expect_help(program, {{"--help"}});
}

}  // namespace
