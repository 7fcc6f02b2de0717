// far bench scaling: every structure is there at each number of ranks, with its longest wait,
// beside threads, and MPI where it is.

#include <filesystem>
#include <fstream>
#include <iterator>
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

/// The curves of a figure.
struct expected {
  const char* figure;
  std::vector<const char*> far;
  std::vector<const char*> threads = {};
  std::vector<const char*> mpi = {};
};

const std::vector<expected> figures{
    {"queues",
     {"queue push", "queue pop", "queue push by rpc", "checksum_queue push"},
     {"deque under std::mutex: push", "deque under std::mutex: pop"}},
    {"maps", {"map insert", "map find", "map add, one key"}},
    {"words",
     {"fetch_add, random words", "fetch_add, one word", "array get", "get by hand, same pages"},
     {"threads: fetch_add, random words", "threads: fetch_add, one word",
      "threads: get, huge pages"},
     {"Open MPI: fetch_and_op, random words", "Open MPI: fetch_and_op, one word", "Open MPI: get"}},
    {"cached-array",
     {"cached_array get, in order", "cached_array apply, Zipf",
      "cached_array, lock of one element"}},
    {"objects", {"monitor of all", "monitor of one's own"}},
    {"locks",
     {"mcs_lock", "topology_lock", "rw_lock, writers"},
     {"std::mutex", "MCS by hand, threads"},
     {"Open MPI: MPI_Win_lock"}},
    {"rw-locks",
     {"rw_lock, 0 % writers", "rw_lock, 2 % writers", "rw_lock, 20 % writers",
      "rw_lock, 100 % writers"},
     {"pthread_rwlock_t, 0 % writers", "pthread_rwlock_t, 2 % writers",
      "pthread_rwlock_t, 20 % writers", "pthread_rwlock_t, 100 % writers"}},
    {"calls", {"rpc, random rank", "accumulate, one patch"}},
    {"collectives",
     {"barrier", "allreduce", "broadcast", "alltoall, 8 KB", "object_space::barrier"},
     {"std::barrier"},
     {"Open MPI: barrier", "Open MPI: allreduce", "Open MPI: broadcast",
      "Open MPI: alltoall, 8 KB"}},
};

std::string point_of(const std::string& figure, const std::string& curve, int ranks) {
  return "scaling-" + figure + ": " + curve + ", " + std::to_string(ranks) + " ranks";
}

bool has_open_mpi() {
  return std::filesystem::exists(built("../libexec/far/mpi_peer.openmpi")) &&
         run_command({"sh", "-c", "command -v mpirun.openmpi"}).status == 0;
}

TEST(ScalingBench, EachStructureIsThereWithItsLongestWait) {
  const outcome result =
      run_command({built("far"), "bench", "scaling", "--quick", "--ranks", "1,2", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::map<std::string, nlohmann::json> points;
  for (const auto& point : nlohmann::json::parse(result.output)) {
    EXPECT_TRUE(points.emplace(point.at("name"), point).second) << point.at("name") << " twice";
  }
  std::size_t count = 0;
  const auto expect_points = [&](const std::string& figure, const std::string& key,
                                 const std::vector<const char*>& curves) {
    for (const char* curve : curves) {
      for (const int ranks : {1, 2}) {
        const std::string name = point_of(figure, curve, ranks);
        ASSERT_TRUE(points.contains(name)) << name << "\n" << result.errors;
        EXPECT_GT(points.at(name).at(key), 0) << name;
        ++count;
      }
    }
  };
  const bool with_mpi = has_open_mpi();
  for (const expected& e : figures) {
    const std::string waits = std::string(e.figure) + "-waits";
    for (const auto& curves : {e.far, e.threads}) {
      expect_points(e.figure, "ns", curves);
      expect_points(waits, "multiple", curves);
    }
    if (with_mpi) expect_points(e.figure, "ns", e.mpi);
  }
  EXPECT_EQ(points.size(), count);
  if (!with_mpi) {
    EXPECT_NE(result.errors.find("Without Open MPI: "), std::string::npos) << result.errors;
  }
}

TEST(ScalingBench, FiguresAreDrawn) {
  if (run_command({"sh", "-c", "command -v gnuplot"}).status != 0) GTEST_SKIP() << "no gnuplot";
  const std::string folder = testing::TempDir() + "scaling-figures";
  const outcome result =
      run_command({built("far"), "bench", "scaling", "--quick", "--ranks", "2", "--plots", folder});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const expected& e : figures) {
    for (const std::string end : {"", "-waits"}) {
      const std::string path = folder + "/scaling-" + e.figure + end + ".svg";
      EXPECT_NE(result.output.find("Drawn: " + path), std::string::npos) << result.output;
      std::ifstream file(path);
      const std::string picture(std::istreambuf_iterator<char>(file), {});
      EXPECT_NE(picture.find("</svg>"), std::string::npos) << path;
    }
    for (const char* curve : e.far) {
      EXPECT_NE(result.output.find(curve), std::string::npos) << curve;
    }
  }
  std::filesystem::remove_all(folder);
}

TEST(ScalingBench, WrongUsageIsTold) {
  const outcome result = run_command({built("far"), "bench", "scaling", "--fabric", "sim"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("takes no --fabric"), std::string::npos) << result.errors;
}

}  // namespace
