// far bench array and array-hosts: each row has its comparison, and their options.

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::outcome;
using far::test::run_command;

outcome bench(const std::vector<std::string>& arguments) {
  std::vector<std::string> line{built("far"), "bench"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_command(line);
}

/// The names of the rows.
std::set<std::string> check_rows(const outcome& result) {
  std::set<std::string> names;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    const std::string name = row.at("name");
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_GT(row.at("ns"), 0) << name;
    EXPECT_GT(row.at("limit_ns"), 0) << name;
    EXPECT_LE(row.at("ratio_low"), row.at("ratio")) << name;
    EXPECT_LE(row.at("ratio"), row.at("ratio_high")) << name;
    for (const auto& goal : row.value("goals", nlohmann::json::array())) {
      EXPECT_FALSE(goal.at("at_most").get<std::string>().empty()) << name;
      // Undecided: the interval contains the goal.
      EXPECT_TRUE(goal.at("met").is_boolean() || goal.at("met").is_null()) << name;
    }
  }
  return names;
}

TEST(ArrayBench, EachRowHasItsComparison) {
  const outcome result = bench({"array", "--quick", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto names = check_rows(result);
  for (const char* name :
       {"in place, own: get in order", "in place, other's: put in order", "hit, get at random",
        "hit, apply in order, home", "hit, get in order, limit: counted",
        "hit, get by two threads, limit: by one", "miss: clean, not shared",
        "miss: dirty, at a third rank"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(ArrayBench, TwoHostsAreComparedOrTheReasonIsTold) {
  const outcome result = bench({"array-hosts", "--quick", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto names = check_rows(result);
  if (names.empty()) {
    EXPECT_NE(result.errors.find("Not measured: "), std::string::npos) << result.errors;
    GTEST_SKIP() << result.errors;
  }
  EXPECT_TRUE(names.contains("pins in order, limit: bulk"));
  EXPECT_TRUE(names.contains("apply, a quarter cached"));
}

TEST(ArrayBench, OptionsOfOtherBenchmarksAreRefused) {
  for (const char* name : {"array", "array-hosts"}) {
    const outcome result = bench({name, "--fabric", "sim"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.errors.find("takes no --fabric"), std::string::npos) << result.errors;
  }
  const outcome result = bench({"mpi", "--quick"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("--quick"), std::string::npos) << result.errors;
}

}  // namespace
