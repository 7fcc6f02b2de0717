// far bench transfers: each row has its comparison by hand, and with Global Arrays where they are.
// far bench section-hosts and overlap: each row has its comparison.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::outcome;
using far::test::run_command;

const std::vector<std::string> mpirun{"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"};

TEST(TransfersBench, EachRowHasItsComparison) {
  const outcome result = run_command({built("far"), "bench", "transfers", "--quick", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::map<std::string, nlohmann::json> rows;
  int places = 0;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    const std::string name = row.at("name");
    EXPECT_GT(row.at("ns"), 0) << name;
    if (name.starts_with("transfers-alignments: ")) {
      ++places;
    } else {
      EXPECT_TRUE(rows.emplace(name, row).second) << name << " twice";
    }
  }
  EXPECT_EQ(places, 8 * 8);
  for (const char* name : {"put 1024 x 1", "get 128 x 128", "accumulate 2 MB",
                           "put list of 1000 x 64 bytes", "get 1024 x 1, wide"}) {
    ASSERT_TRUE(rows.contains(name)) << name;
    EXPECT_GT(rows.at(name).at("limit_ns"), 0) << name;
  }
  if (!std::filesystem::exists(built("../libexec/far/ga_peer.armci-mpi"))) {
    EXPECT_NE(result.errors.find("Without ga_peer.armci-mpi: "), std::string::npos);
    EXPECT_TRUE(rows.at("put 128 x 128").at("peers").empty());
    GTEST_SKIP() << "Global Arrays are not here";
  }
  for (const char* name : {"put 1024 x 1", "get 128 x 128", "accumulate 2 MB", "put 8 bytes",
                           "get list of 1000 x 8 bytes"}) {
    EXPECT_GT(rows.at(name).at("peers").at("GA, ARMCI-MPI"), 0) << name;
  }
}

TEST(TransfersBench, WrongUsageOfThePeerIsTold) {
  const std::string peer = built("../libexec/far/ga_peer.armci-mpi");
  if (!std::filesystem::exists(peer)) GTEST_SKIP() << "Global Arrays are not here";
  for (const char* wrong : {"put_4096x1", "puts", "put_8x2048"}) {
    std::vector<std::string> line = mpirun;
    line.insert(line.end(), {"-n", "2", peer, "1", wrong});
    const outcome result = run_command(line);
    EXPECT_NE(result.status, 0) << wrong;
    EXPECT_NE(result.errors.find(std::string("no operation '") + wrong), std::string::npos)
        << result.errors;
  }
}

TEST(TransfersBench, ComputationsAreComparedOnBothFabrics) {
  const outcome result = run_command({built("far"), "bench", "overlap", "--quick", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::vector<std::string> names;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    names.push_back(row.at("name"));
    EXPECT_GT(row.at("ns"), 0) << names.back();
    EXPECT_GT(row.at("limit_ns"), 0) << names.back();
  }
  const std::vector<std::string> expected{
      "shm: get 1 MB", "shm: get 1024 x 1 KB", "shm: put 1 MB", "shm: put 1024 x 1 KB",
      "ucx: get 1 MB", "ucx: get 1024 x 1 KB", "ucx: put 1 MB", "ucx: put 1024 x 1 KB"};
  EXPECT_EQ(names, expected);
}

TEST(TransfersBench, TwoHostsAreComparedOrTheReasonIsTold) {
  const outcome result = run_command({built("far"), "bench", "section-hosts", "--quick", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::map<std::string, nlohmann::json> rows;
  for (const auto& row : nlohmann::json::parse(result.output)) rows[row.at("name")] = row;
  if (rows.empty()) {
    EXPECT_NE(result.errors.find("Not measured: "), std::string::npos) << result.errors;
    GTEST_SKIP() << result.errors;
  }
  for (const char* name : {"get list of 1000 x 64 bytes", "put 1024 x 1 KB, per segment",
                           "accumulate 16 x 64 KB, pipelined"}) {
    ASSERT_TRUE(rows.contains(name)) << name;
    EXPECT_GT(rows.at(name).at("ns"), 0) << name;
    EXPECT_GT(rows.at(name).at("limit_ns"), 0) << name;
  }
}

}  // namespace
