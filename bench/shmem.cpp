// OpenSHMEM's interface beside Open MPI's: the same program, peers/shmem_peer.c, linked with each.

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"

namespace far::bench {
namespace {

constexpr int shmem_rounds = 3;
constexpr int shmem_limit_s = 120;
constexpr const char* oshmem = "Open MPI's oshmem";

using shmem_words = std::vector<std::string>;

/// The program with one of the libraries, and the times that it has printed, by (PEs, operation).
class shmem_program {
 public:
  shmem_program(shmem_words launch, const char* file)
      : launch_(std::move(launch)), path_(own_folder() / "../libexec/far" / file) {}

  [[nodiscard]] bool exists() const { return std::filesystem::exists(path_); }

  void run(int pes, const shmem_words& operations, shmem_words& remarks) {
    shmem_words line = launch_;
    line.insert(line.end(), {"-n", std::to_string(pes), path_.string()});
    line.insert(line.end(), operations.begin(), operations.end());
    const outcome result = run_program(line, shmem_limit_s);
    std::istringstream lines(result.output);
    std::string name;
    double ns = 0;
    while (lines >> name >> ns) times_[{pes, name}].push_back(ns);
    if (result.status == 0) return;
    const std::string remark =
        fmt::format("{} on {} PEs: {}", path_.filename().string(), pes, result.complaint());
    if (std::ranges::find(remarks, remark) == remarks.end()) remarks.push_back(remark);
  }

  /// Empty if it has not run.
  [[nodiscard]] std::vector<double> times(int pes, const std::string& operation) const {
    const auto found = times_.find({pes, operation});
    return found == times_.end() ? std::vector<double>{} : found->second;
  }

 private:
  shmem_words launch_;
  std::filesystem::path path_;
  std::map<std::pair<int, std::string>, std::vector<double>> times_;
};

struct shmem_row {
  const char* name;
  const char* operation;
  double max_peer_ratio;  ///< 1: ahead
  const char* limit = nullptr;
  std::optional<double> max_ratio = {};
};

constexpr shmem_row of_two[] = {
    {"put", "put", 0.4, "store"},
    {"get", "get", 0.25, "load"},
    {"put_nbi", "put_nbi", 1, "put_one", 1.2},
    {"get_nbi", "get_nbi", 1, "get_one", 1.2},
    {"put + quiet", "put_quiet", 0.6},
    {"atomic add", "add", 0.25, "locked_add"},
    {"atomic fetch_add", "fetch_add", 0.25, "locked_add"},
    {"atomic compare_swap", "compare_swap", 0.25, "locked_add"},
    {"put of 64 KB", "put_64k", 1},
    {"get of 64 KB", "get_64k", 1},
    {"put of 4 MB", "put_4m", 1, "copy_4m"},
    {"ping-pong, wait_until", "ping_pong", 1},
    {"ping-pong, signals", "signal_ping_pong", 1},
    {"lock, contended", "contended_lock", 1},
};
/// Which are measured with libfar's library only.
constexpr const char* limits[] = {"put_one", "get_one", "store", "load", "locked_add", "copy_4m"};
constexpr shmem_row of_all[] = {
    {"barrier", "barrier", 1},
    {"broadcast, 8 bytes", "broadcast_8", 1},
    {"reduce, 8 bytes", "reduce_8", 1},
    {"fcollect, 8 bytes", "fcollect_8", 1},
    {"alltoall, 8 bytes", "alltoall_8", 1},
    {"broadcast, 64 KB", "broadcast_64k", 1},
    {"reduce, 64 KB", "reduce_64k", 1},
    {"fcollect, 64 KB", "fcollect_64k", 1},
    {"alltoall, 64 KB", "alltoall_64k", 1},
};

report measure_shmem(const settings& how) {
  const std::string far = (own_folder() / "far").string();
  shmem_program ours({far, "run"}, "shmem_peer.libfar");
  shmem_program theirs({"oshrun", "--allow-run-as-root", "--oversubscribe"}, "shmem_peer.oshmem");
  report result;
  if (!ours.exists()) throw error("far bench shmem: far was built without libfar_shmem");
  const bool has_theirs = theirs.exists() && in_path("oshrun");
  if (!has_theirs) {
    result.remarks.push_back(fmt::format(
        "Without {}: it is not here, or was not when far was built (Debian: openmpi-bin "
        "libopenmpi-dev)",
        oshmem));
  }
  shmem_words two;
  shmem_words all;
  for (const shmem_row& each : of_two) two.emplace_back(each.operation);
  for (const shmem_row& each : of_all) all.emplace_back(each.operation);
  shmem_words two_and_limits = two;
  two_and_limits.insert(two_and_limits.end(), std::begin(limits), std::end(limits));
  const int rounds = how.quick ? 1 : shmem_rounds;
  apps::progress_bar bar("shmem");
  for (int round = 0; round < rounds; ++round) {
    const auto on = [&](int pes, const shmem_words& own, const shmem_words& operations) {
      ours.run(pes, own, result.remarks);
      if (has_theirs) theirs.run(pes, operations, result.remarks);
    };
    on(2, two_and_limits, two);
    on(2, all, all);
    on(8, all, all);
  }
  const auto add = [&](const shmem_row& each, int pes) {
    std::vector<double> own = ours.times(pes, each.operation);
    if (own.empty()) return;
    row line;
    line.name = fmt::format("{}, {} PEs", each.name, pes);
    line.ns = median(own);
    line.wanted.max_peer_ratio = each.max_peer_ratio;
    if (std::vector<double> other = theirs.times(pes, each.operation); !other.empty()) {
      line.peers[oshmem] = median(other);
    }
    if (each.limit != nullptr) {
      line.limit_ns = median(ours.times(2, each.limit));
      line.wanted.max_ratio = each.max_ratio;
    }
    result.rows.push_back(std::move(line));
  };
  for (const shmem_row& each : of_two) add(each, 2);
  for (const shmem_row& each : of_all) add(each, 2);
  for (const shmem_row& each : of_all) add(each, 8);
  result.measured = fmt::format(
      "shmem: programs of OpenSHMEM, with libfar's library and another. 8 bytes at random places "
      "in 8 MB of the other\nPE, by one PE alone, in processor time; what several do, by the "
      "clock.\nThe limit is one instruction, of put_nbi and get_nbi the blocking function, of 4 MB "
      "a memcpy. Medians of {} rounds, ours and theirs in turn.",
      rounds);
  return result;
}

const benchmark registered_shmem("shmem", "programs of OpenSHMEM, against Open MPI's library",
                                 measure_shmem);

}  // namespace
}  // namespace far::bench
