// far-mg as a user runs it: its results, its JSON, and its messages for bad input.

#include <set>

#include <nlohmann/json.hpp>

#include "test/apps/programs.hpp"

namespace {

using far::test::built;
using far::test::expect_help;
using far::test::expect_progress;
using far::test::expect_refusal;
using far::test::expect_refusals;
using far::test::far_run;
using far::test::has_mpi;
using far::test::json_of;
using far::test::keys_of;
using far::test::mpirun;
using far::test::output_of;
using far::test::ways_to_run;
using far::test::with;
using far::test::words;
using nlohmann::json;

constexpr const char* mg_program = "far-mg";
constexpr double norm_of_s = 0.5307707005734e-04;

TEST(far_mg, solves_class_s) {
  const std::vector<int> ranks = {1, 1, 2, 4, 3};
  const auto ways = ways_to_run(mg_program);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const json found = json_of(with(ways[i], {"S", "--json", "--verify"}));
    EXPECT_EQ(keys_of(found),
              (std::set<std::string>{"class", "cells", "iterations", "ranks", "blocks",
                                     "published_norm", "variants", "verified"}));
    EXPECT_EQ(found["class"], "S");
    EXPECT_EQ(found["cells"], 32);
    EXPECT_EQ(found["iterations"], 4);
    EXPECT_EQ(found["ranks"], ranks[i]);
    ASSERT_EQ(found["variants"].size(), 1U);
    EXPECT_EQ(found["variants"][0]["variant"], "one-sided");
    EXPECT_NEAR(found["variants"][0]["norm"].get<double>(), norm_of_s, 1e-8 * norm_of_s);
    EXPECT_GT(found["variants"][0]["seconds"].get<double>(), 0);
  }
}

TEST(far_mg, prints_a_table) {
  const std::string text = output_of(far_run({"-n", "2", built(mg_program), "s", "--verify"}));
  EXPECT_EQ(text.find("variant  "), 0U) << text;
  EXPECT_NE(text.find("\nclass               S: 32 x 32 x 32 cells, 4 iterations\n"
                      "ranks               2, 2 x 1 blocks\n"
                      "published norm      5.3077070057340e-05\n"
                      "verified            the norm is the published one within 1e-08\n"),
            std::string::npos)
      << text;
}

TEST(far_mg, solves_in_both_variants_in_turn) {
  if (!has_mpi()) GTEST_SKIP() << "no Open MPI here (Debian: openmpi-bin libopenmpi-dev)";
  for (const int ranks : {1, 2, 6}) {
    const json found = json_of(with(mpirun(ranks), {built(mg_program), "S", "--variant", "both",
                                                    "--rounds", "3", "--verify", "--json"}));
    EXPECT_EQ(found["ranks"], ranks);
    ASSERT_EQ(found["variants"].size(), 2U);
    EXPECT_EQ(found["variants"][0]["variant"], "one-sided");
    EXPECT_EQ(found["variants"][1]["variant"], "mpi");
    for (const json& v : found["variants"]) {
      EXPECT_NEAR(v["norm"].get<double>(), norm_of_s, 1e-8 * norm_of_s);
    }
  }
}

TEST(far_mg, refuses_wrong_command_lines) {
  expect_refusals(mg_program, {}, "CLASS is required");
  expect_refusals(mg_program, {"X"}, "there is no class 'X'; the classes are S, W, A and B");
  const auto refuse = [](const words& arguments, std::string_view what) {
    expect_refusal(with({built(mg_program)}, arguments), what);
  };
  refuse({"S", "A"}, "A");
  refuse({"S", "--rounds", "0"}, "--rounds: '0' is no number from 1 to 1000");
  refuse({"S", "--variant", "upc"}, "--variant: 'upc' is none of one-sided, mpi, both");
  refuse({"S", "--unknown"}, "--unknown");
}

TEST(far_mg, refuses_jobs_that_cannot_do_it) {
  expect_refusal(far_run({"-n", "37", "--threads", built(mg_program), "S"}),
                 "37 ranks cannot share a cube of 32 x 32 rows");
  expect_refusal(far_run({"-n", "2", built(mg_program), "S", "--variant", "both"}),
#ifdef FAR_APPS_WITH_MPI
                 "MPI's launcher must start the ranks of the variant mpi: mpirun -n 2 far-mg"
#else
                 "the variant mpi is not in this build"
#endif
  );
}

TEST(far_mg, shows_progress_on_a_terminal) {
  expect_progress({built(mg_program), "S"}, {"solving  ["});
}

TEST(far_mg, helps) { expect_help(mg_program, {{"--help"}}); }

}  // namespace
