// far bench locks: the figures of locks on a simulated machine, and the claims about them. The
// machine here has two ranks per node, so that few ranks are enough.

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/support/command.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::built;
using far::test::outcome;
using far::test::run_command;

class locks_bench_test : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(machine_) << R"({"base": "piz-daint", "name": "small", "ranks_per_node": 2})";
  }
  outcome bench(const std::vector<std::string>& arguments) const {
    std::vector<std::string> line{built("far"), "bench", "locks", "--profile", machine_};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return run_command(line);
  }

  const std::string machine_ = testing::TempDir() + "locks_bench_machine.json";
};

TEST_F(locks_bench_test, claims_are_judged_by_the_figures) {
  const outcome result = bench({"--fabric", "sim", "--ranks", "8", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::map<std::string, double> ns;
  std::map<std::string, bool> holds;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    if (row.contains("claim")) {
      holds[row["claim"]] = row["holds"];
    } else {
      ns[row["name"]] = row["ns"];
    }
  }
  EXPECT_EQ(holds.size(), 19u);
  const auto at = [&](const std::string& figure, const std::string& lock) {
    return ns.at("locks-figure-" + figure + ": " + lock + ", 8 ranks");
  };
  // Each lock excludes all others while there is work inside.
  for (const char* lock : {"spin, published", "spin, back-off", "D-MCS", "RMA-MCS"}) {
    EXPECT_GT(at("3-WCSB", lock), 2500) << lock;
    // The number of waiters is that of the other ranks.
    EXPECT_LT(at("3-LB", lock), 8.5 * at("3-ECSB", lock)) << lock;
  }
  // Readers share.
  EXPECT_LT(at("5-ECSB-0.2", "RMA-RW"), at("5-ECSB-100", "RMA-RW") / 2);
  EXPECT_LT(at("5-LB-5", "RMA-RW: readers"), at("5-LB-5", "RMA-RW: writers"));
  EXPECT_EQ(at("5-RMA-RW", "100 %"), at("5-ECSB-100", "RMA-RW"));
  // No rank waits for another where all read without a lock.
  EXPECT_LT(at("6-0", "atomics only"), at("6-20", "RMA-RW"));
  // The lock with default thresholds keeps up with fixed ones.
  EXPECT_LT(at("4e", "by itself"), 1.1 * at("4e", "0"));
  EXPECT_LT(ns.at("locks-gapless-LB: spin, published, 8 ranks"), at("3-LB", "spin, published"));
  const double ratio = at("3-LB", "spin, published") / at("3-LB", "RMA-MCS");
  EXPECT_EQ(holds.at("RMA-MCS takes at most 1/10 of the published spin lock's time, at most ranks"),
            ratio >= 10);
}

TEST_F(locks_bench_test, other_fabrics_are_refused) {
  const outcome result = bench({"--fabric", "shm"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("far bench locks-shm"), std::string::npos) << result.errors;
}

}  // namespace

#endif
