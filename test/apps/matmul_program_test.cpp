// far-matmul as a user runs it: its results, its JSON, and its messages for bad input.

#include <filesystem>
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

constexpr const char* matmul_program = "far-matmul";

class far_matmul : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(built(matmul_program))) {
      GTEST_SKIP() << "built without far-matmul, which needs Debian's libopenblas-dev";
    }
  }
};

TEST_F(far_matmul, multiplies_and_checks) {
  for (const words& way : ways_to_run(matmul_program)) {
    const json found =
        json_of(with(way, {"70", "50", "90", "--transpose-b", "--verify", "--json"}));
    EXPECT_EQ(keys_of(found),
              (std::set<std::string>{"m", "n", "k", "transposed", "ranks", "grid", "variants"}));
    EXPECT_EQ(found["m"], 70);
    EXPECT_EQ(found["n"], 50);
    EXPECT_EQ(found["k"], 90);
    EXPECT_EQ(found["transposed"], json::array({false, true}));
    ASSERT_EQ(found["variants"].size(), 1U);
    EXPECT_EQ(found["variants"][0]["variant"], "one-sided");
    EXPECT_EQ(found["variants"][0]["verified"], "Freivalds, BLAS");
    EXPECT_GT(found["variants"][0]["gflops"].get<double>(), 0);
  }
}

TEST_F(far_matmul, fetches_panels) {
  for (const char* transpose : {"--transpose-a", "--transpose-b"}) {
    const std::string text = output_of(far_run({"-n", "4", built(matmul_program), "60", "--fetch",
                                                "--panel", "7", "--verify", transpose}));
    EXPECT_NE(text.find("Freivalds, BLAS"), std::string::npos) << text;
  }
}

TEST_F(far_matmul, multiplies_in_both_variants_in_turn) {
  if (!has_mpi()) GTEST_SKIP() << "no Open MPI here (Debian: openmpi-bin libopenmpi-dev)";
  const std::vector<words> shapes = {{"64"},
                                     {"3", "50", "7", "--transpose-a"},
                                     {"30", "40", "50", "--transpose-b", "--panel", "8"},
                                     {"41", "2", "9", "--transpose-a", "--transpose-b"}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const int ranks = i == 0 ? 1 : i == 1 ? 6 : 4;
    const words start = with(mpirun(ranks), {built(matmul_program), "--variant", "both", "--rounds",
                                             "2", "--verify", "--json"});
    const json found = json_of(with(start, shapes[i]));
    EXPECT_EQ(found["ranks"], ranks);
    ASSERT_EQ(found["variants"].size(), 2U);
    EXPECT_EQ(found["variants"][1]["variant"], "mpi");
    for (const json& v : found["variants"]) EXPECT_EQ(v["verified"], "Freivalds, BLAS");
  }
}

TEST_F(far_matmul, compares_with_the_blas) {
  const std::string text =
      output_of({built(matmul_program), "100", "--blas", "2", "--rounds", "3"});
  EXPECT_NE(text.find("\nblas, 2 threads  "), std::string::npos) << text;
  EXPECT_NE(text.find("\nproduct             (100 x 100) x (100 x 100)\n"
                      "ranks               1, 1 x 1\n"),
            std::string::npos)
      << text;
  expect_refusal(far_run({"-n", "2", built(matmul_program), "100", "--blas", "2"}),
                 "--blas compares with one rank, not with 2");
}

TEST_F(far_matmul, refuses_wrong_command_lines) {
  expect_refusals(matmul_program, {}, "M is required");
  expect_refusals(matmul_program, {"0"}, "M: '0' is no number from 1 to 1000000");
  const auto refuse = [](const words& arguments, std::string_view what) {
    expect_refusal(with({built(matmul_program)}, arguments), what);
  };
  refuse({"x"}, "M: 'x' is no number");
  refuse({"3", "-1"}, "-1");
  refuse({"3", "4", "5", "6"}, "6");
  refuse({"3", "--panel", "0"}, "--panel: '0' is no number");
  refuse({"3", "--variant", "upc"}, "--variant: 'upc' is none of one-sided, mpi, both");
  refuse({"3", "--unknown"}, "--unknown");
  // More than the heap holds.
  expect_refusal(
      with(far_run({"-n", "2", "--symmetric-heap", "1M", built(matmul_program)}), {"2000"}),
      "heap");
}

TEST_F(far_matmul, shows_progress_on_a_terminal) {
  expect_progress({built(matmul_program), "100"}, {"multiplying  ["});
}

TEST_F(far_matmul, helps) { expect_help(matmul_program, {{"--help"}}); }

}  // namespace
