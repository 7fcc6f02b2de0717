// far model: measures and keeps the costs of components, and uses them to explain operations.

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;
using nlohmann::json;

class FarModel : public testing::Test {
 protected:
  FarModel() { std::filesystem::remove(file_); }

  [[nodiscard]] outcome far(const std::vector<std::string>& arguments) const {
    std::vector<std::string> line{built("far")};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return run_command(line, {{{"FAR_MODEL", file_}}, "", false});
  }
  [[nodiscard]] outcome explain(const std::vector<std::string>& arguments) const {
    std::vector<std::string> line{"model", "explain"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return far(line);
  }
  [[nodiscard]] json kept() const {
    std::ifstream file(file_);
    return json::parse(file, nullptr, false);
  }
  /// Keeps costs of 10, 20, ... ns for a rank of the same node.
  void keep_round_figures() const {
    std::ofstream(file_) << R"({"fabrics": {"shm": {"same_node": {"ranks": 3, "put": 10, "get": 20,
      "fetch_add": 30, "hot_fetch_add": 40, "compare_swap": 50, "turn": 60, "message": 180,
      "local": 5}}}})";
  }

  const std::string file_ = testing::TempDir() + "far_model_test.json";
};

TEST_F(FarModel, CalibratesAndExplainsByThat) {
  for (const char* fabric : {"threads", "shm"}) {
    std::filesystem::remove(file_);
    const outcome result = far({"model", "calibrate", "--fabric", fabric});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    EXPECT_NE(result.output.find("A_cas*     compare-and-swap until"), std::string::npos)
        << result.output;
    EXPECT_NE(result.output.find("kept in " + file_), std::string::npos) << result.output;
    const json shm = kept().at("fabrics").at("shm");
    EXPECT_EQ(shm.size(), 2u);
    EXPECT_EQ(shm.at("self").at("ranks"), 2);
    EXPECT_GT(shm.at("same_node").at("put"), 0);
    const json told = json::parse(explain({"queue", "push", "--json"}).output);
    EXPECT_EQ(told.at("measured_by"), 2);
    EXPECT_EQ(told.at("ns").at("put"), shm.at("same_node").at("put"));
  }
}

TEST_F(FarModel, CalibratesTheJobThatItIsIn) {
  const outcome result = far({"run", "-n", "3", built("far"), "model", "calibrate", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json told = json::parse(result.output);
  EXPECT_EQ(told.at("ranks"), 3);
  EXPECT_EQ(told.at("file"), file_);
  EXPECT_EQ(kept().at("fabrics").at("shm").at("self").at("ranks"), 3);

  const outcome refused = far({"run", built("far"), "model", "calibrate", "-n", "3"});
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.errors.find("the job is there already"), std::string::npos) << refused.errors;
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers
TEST_F(FarModel, ASimulatedMachineRepeatsItself) {
  const std::vector<std::string> line{"model", "calibrate", "--fabric", "sim", "--json"};
  const outcome first = far(line);
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_EQ(far(line).output, first.output);
  const json told = json::parse(first.output);
  EXPECT_EQ(told.at("fabric"), "sim/cori-aries");
  EXPECT_NEAR(told.at("ns").at("other_node").at("put"), 3000, 150);  // Table I of rdma-vs-rpc

  const outcome other = far({"sim", "-n", "2", "-p", "laptop", built("far"), "model", "calibrate"});
  ASSERT_EQ(other.status, 0) << other.errors;
  EXPECT_EQ(kept().at("fabrics").size(), 2u);
  EXPECT_TRUE(kept().at("fabrics").contains("sim/laptop"));
  EXPECT_EQ(explain({"hash_map", "find", "--fabric", "sim", "--profile", "laptop"}).status, 0);

  const outcome refused = far({"model", "calibrate", "--fabric", "sim", "--profile", "cray"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(lines_of(refused.errors).size(), 1u) << refused.errors;
  EXPECT_NE(refused.errors.find("there is no profile 'cray'"), std::string::npos);
}
#endif

TEST_F(FarModel, ExplainsWithTheFiguresOfTheFile) {
  keep_round_figures();
  const outcome result = explain({"hash_map", "insert", "--concurrent"});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* part : {"hash_map insert, concurrent; shm, same_node\n",
                           "measured by 3 ranks, in ", "W + A_fao + A_cas", "90.0 ns", "180 ns",
                           "one-sided is cheaper: the other costs 2.00 times as much"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part << "\n" << result.output;
  }
  const json dear = json::parse(explain({"hash_map", "update", "--json"}).output);
  EXPECT_EQ(dear.at("one_sided").at("ns"), 2 * 50 + 3 * 20 + 10 + 30);
  EXPECT_EQ(dear.at("call").at("ns"), 180);
  EXPECT_EQ(dear.at("cheaper"), "call");
  EXPECT_DOUBLE_EQ(dear.at("factor"), 200.0 / 180);
  const json pop = json::parse(explain({"queue", "pop", "--json"}).output);
  EXPECT_EQ(pop.at("one_sided").at("ns"), 40 + 20 + 60);
  EXPECT_FALSE(json::parse(explain({"checksum_queue", "pop", "--json"}).output).contains("call"));
  const json built_in =
      json::parse(explain({"queue", "pop", "--distance", "self", "--json"}).output);
  EXPECT_EQ(built_in.at("measured_by"), 0);
}

TEST_F(FarModel, ListsWhatItKnows) {
  const outcome table = explain({});
  EXPECT_EQ(table.status, 0);
  EXPECT_NE(table.output.find("hash_map        find           reading"), std::string::npos)
      << table.output;
  const json list = json::parse(explain({"--json"}).output);
  EXPECT_EQ(lines_of(table.output).size(), list.size() + 2);
  for (const json& one : list) {  // each of them can be explained
    const std::string level = "--" + one.at("level").get<std::string>();
    const outcome told = explain({one.at("structure"), one.at("operation"), level, "--json"});
    ASSERT_EQ(told.status, 0) << told.errors;
    EXPECT_EQ(json::parse(told.output).at("one_sided").at("formula"), one.at("one_sided"));
  }
}

TEST_F(FarModel, WrongUsageIsToldInOneLine) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{}, "want calibrate or explain"},
      {{"explain", "heap"}, "no structure 'heap'; there are: hash_map, queue, checksum_queue"},
      {{"explain", "queue"}, "which operation of queue? there are: push, push_looking, pop"},
      {{"explain", "queue", "peek"}, "queue has no operation 'peek'; there are: push"},
      {{"explain", "hash_map", "find", "--writing"},
       "find of hash_map has no level writing; there is: concurrent, reading"},
      {{"explain", "hash_map", "find", "--writing", "--reading"}, "exclude each other"},
      {{"explain", "hash_map", "find", "--fabric", "ether"},
       "no costs of a fabric 'ether'; there are: shm, ucx"},
      {{"explain", "hash_map", "find", "--distance", "other_node"},
       "shm has no distance 'other_node'; there are: self, same_node"},
      {{"explain", "hash_map", "find", "--profile", "laptop"}, "is for --fabric sim"},
      {{"calibrate", "--fabric", "ether"}, "no fabric 'ether'"},
      {{"calibrate", "-n", "-1"}, "-n: want a number of ranks above 0"},
      {{"calibrate", "--profile", "laptop"}, "--profile: is for --fabric sim"},
      {{"calibrate", "--ranks-per-node", "2"}, "--ranks-per-node: is for --fabric ucx and sim"},
  };
  for (const auto& [arguments, text] : wrong) {
    std::vector<std::string> line{"model"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const outcome result = far(line);
    EXPECT_EQ(result.status, 2) << text;
    EXPECT_EQ(result.output, "") << text;
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_NE(result.errors.find(text), std::string::npos) << result.errors;
  }
}

TEST_F(FarModel, AWrongFileIsToldInOneLineAndStays) {
  std::ofstream(file_) << R"({"fabrics": {"shm": {"self": {"put": "fast"}}}})";
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"model", "explain", "hash_map", "find"},
        {"model", "calibrate"},
        {"model", "calibrate", "--fabric", "threads"}}) {
    const outcome result = far(line);
    EXPECT_NE(result.status, 0);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_NE(result.errors.find(file_ + ": fabrics.shm.self.put: \"fast\": want nanoseconds"),
              std::string::npos)
        << result.errors;
  }
  EXPECT_EQ(kept()["fabrics"]["shm"]["self"]["put"], "fast");
}

TEST_F(FarModel, AFileThatCannotBeWrittenIsTold) {
  std::ofstream(file_) << "{}";
  const outcome result = run_command({built("far"), "model", "calibrate", "--fabric", "threads"},
                                     {{{"FAR_MODEL", file_ + "/below"}}, "", false});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("A_fao"), std::string::npos);  // the figures are not lost
  EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_NE(result.errors.find("cannot write the file of measured costs " + file_ + "/below"),
            std::string::npos)
      << result.errors;
}

}  // namespace
