// far bench paper-a: figures of a simulated machine as points and pictures, and the claims about
// them. The machine here has two ranks per node, so that few ranks are enough.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/bench/paper_test.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::expect_drawn;
using far::test::expect_one_line;
using far::test::far_bench;
using far::test::outcome;

class PaperA : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(machine_) << R"({"base": "cori-aries", "name": "small", "ranks_per_node": 2})";
  }
  outcome bench(const std::vector<std::string>& arguments) const {
    std::vector<std::string> line{"paper-a", "--profile", machine_};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return far_bench(line);
  }

  const std::string folder_ = testing::TempDir() + "paper_a";
  const std::string machine_ = testing::TempDir() + "paper_a_machine.json";
};

TEST_F(PaperA, ClaimsAreJudgedByTheFigures) {
  const outcome result = bench({"--fabric", "sim", "--ranks", "2,4,8", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::map<std::string, double> ns;
  std::map<std::string, bool> holds;
  int predicted = 0;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    if (row.contains("claim")) {
      holds[row["claim"]] = row["holds"];
    } else {
      ns[row["name"]] = row["ns"];
      predicted += row["predicted"].get<bool>() ? 1 : 0;
    }
  }
  EXPECT_EQ(ns.size(), 3u * (7 + 2 * 4 + 2 * 6) + 12u * 4);
  EXPECT_EQ(predicted, 3 * (4 + 6));
  EXPECT_EQ(holds.size(), 16u);
  const auto component = [&](const std::string& name, int ranks) {
    return ns.at("paper-a-figure-3: " + name + ", " + std::to_string(ranks) + " ranks");
  };
  const auto table = [&](const std::string& name, int ranks) {
    return ns.at("paper-a-figure-5: " + name + ", " + std::to_string(ranks) + " ranks");
  };
  for (const int ranks : {4, 8}) {
    EXPECT_LT(component("put", ranks), component("get", ranks));
    EXPECT_LT(table("find CR", ranks), table("find CRW", ranks));
    // The formula of a find is R, which is also the component.
    EXPECT_DOUBLE_EQ(table("find CR, predicted", ranks), component("get", ranks));
    EXPECT_DOUBLE_EQ(table("insert CRW, predicted", ranks), component("compare-and-swap", ranks) +
                                                                component("put", ranks) +
                                                                component("fetch-and-add", ranks));
  }
  EXPECT_TRUE(holds.at("put is the cheapest component"));
  EXPECT_TRUE(holds.at("find CR is the cheapest of the table's operations"));
  const auto push = [&](const std::string& name, const std::string& us) {
    return ns.at("paper-a-figure-6: " + name + ", " + us + " us of computation");
  };
  EXPECT_GT(push("AM push", "512"), 100'000);
  EXPECT_LT(push("AM push, progress thread", "512"), 100'000);
  const double share = (push("AM push", "512") - push("AM push", "0")) / 512'000;
  EXPECT_EQ(holds.at("AM push grows by about half of the computation"), share > 0.4 && share < 0.6);
}

TEST_F(PaperA, FiguresAreDrawn) {
  std::filesystem::remove_all(folder_);
  expect_drawn(bench({"--ranks", "2,4", "--plots", folder_}), "paper-a", folder_,
               {"3", "4", "5", "6"});
}

TEST_F(PaperA, WrongSettingsAreToldInOneLine) {
  std::ofstream(folder_ + ".file") << "not a folder";
  const std::vector<std::vector<std::string>> wrong{
      {"paper-a", "--fabric", "shm"},
      {"paper-a", "--profile", "no-such-machine"},
      {"paper-a", "--ranks", "0"},
      {"paper-a", "--ranks", "2,x"},
      {"transfers", "--ranks", "2"},
      {"all", "--profile", "cori-aries"},
      {"paper-a", "--ranks", "2", "--plots", folder_ + ".file/below"}};
  for (const auto& arguments : wrong) {
    SCOPED_TRACE(arguments[0] + " " + arguments[1]);
    expect_one_line(far_bench(arguments));
  }
}

}  // namespace

#endif
