// far-mg and far-matmul: their one-sided variants compared with their variants for MPI, and the
// multiplication with the BLAS's own threads.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/progress.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

constexpr int rounds = 5;  // runs of the programs, each of which measures three rounds
constexpr int limit_s = 300;
constexpr const char* rounds_of_a_run = "3";

using words = std::vector<std::string>;

/// Medians of an app's variants in several runs.
class app_times {
 public:
  explicit app_times(std::string program) : program_(std::move(program)) {
    const auto folder = own_folder();
    built_ = std::filesystem::exists(folder / program_);
    if (!built_) {
      remarks_.push_back(
          fmt::format("{} is not in the folder of far: nothing to measure.", program_));
    } else if (!in_path("mpirun.openmpi")) {
      remarks_.push_back("Without MPI: mpirun.openmpi is not installed (Debian: openmpi-bin).");
      with_mpi_ = false;
    }
  }

  [[nodiscard]] bool built() const noexcept { return built_; }
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

  /// Runs it on two processes, by MPI's launcher in both variants if that works.
  void run_on_two(const words& arguments) {
    if (with_mpi_) {
      words line = {"mpirun.openmpi",
                    "--allow-run-as-root",
                    "--oversubscribe",
                    "-bind-to",
                    core_count() >= 2 ? "core" : "none",
                    "-n",
                    "2",
                    own_folder() / program_,
                    "--variant",
                    "both"};
      line.insert(line.end(), arguments.begin(), arguments.end());
      if (take(line)) return;
      with_mpi_ = false;
    }
    words line = {own_folder() / "far", "run", "-n", "2", own_folder() / program_};
    line.insert(line.end(), arguments.begin(), arguments.end());
    if (!take(line)) throw error(remarks_.back());
  }
  /// Runs it as one process that no launcher binds to a core.
  void run_alone(const words& arguments) {
    words line = {own_folder() / program_};
    line.insert(line.end(), arguments.begin(), arguments.end());
    if (!take(line)) throw error(remarks_.back());
  }

  /// Nanoseconds.
  [[nodiscard]] std::optional<double> of(const std::string& variant, int ranks) const {
    const auto found = times_.find({variant, ranks});
    if (found == times_.end()) return {};
    return median(found->second);
  }

 private:
  bool take(words line) {
    line.insert(line.end(), {"--json", "--rounds", rounds_of_a_run});
    const outcome result = run_program(line, limit_s);
    if (result.status != 0) {
      remarks_.push_back(fmt::format("{} failed: {}", fmt::join(line, " "), result.complaint()));
      return false;
    }
    const nlohmann::json found = nlohmann::json::parse(result.output);
    for (const nlohmann::json& v : found.at("variants")) {
      times_[{v.at("variant").get<std::string>(), found.at("ranks").get<int>()}].push_back(
          v.at("seconds").get<double>() * 1e9);
    }
    return true;
  }

  std::string program_;
  bool built_ = false;
  bool with_mpi_ = true;
  std::map<std::pair<std::string, int>, std::vector<double>> times_;
  std::vector<std::string> remarks_;
};

row row_of(const std::string& name, const app_times& times) {
  row result{name, times.of("one-sided", 2).value_or(0)};
  if (const auto mpi = times.of("mpi", 2)) result.peers["Open MPI"] = *mpi;
  result.wanted.ahead_of_peers = true;
  return result;
}

report measure_mg(const settings& chosen) {
  app_times times("far-mg");
  report result;
  result.measured = fmt::format(
      "mg: NAS MG on 2 processes, one-sided and by messages of MPI in the same processes, in turn; "
      "all iterations.\nMedians of {} runs.",
      rounds);
  if (times.built()) {
    apps::progress_bar bar("mg");
    const std::string problem = chosen.quick ? "S" : "A";
    for (int round = 0; round < rounds; ++round) {
      bar.update(static_cast<std::uint64_t>(round), rounds);
      times.run_on_two({problem, "--verify"});
    }
    result.rows.push_back(row_of("class " + problem, times));
  }
  result.remarks = times.remarks();
  return result;
}

report measure_matmul(const settings& chosen) {
  app_times times("far-matmul");
  report result;
  result.measured = fmt::format(
      "matmul: C = A B of square matrices on 2 processes, one-sided and by broadcasts of MPI in "
      "the same processes,\nin turn. Limit: the BLAS at once in one process, on 2 threads. Medians "
      "of {} runs.",
      rounds);
  if (times.built()) {
    apps::progress_bar bar("matmul");
    const std::string extent = chosen.quick ? "256" : "2048";
    for (int round = 0; round < rounds; ++round) {
      bar.update(static_cast<std::uint64_t>(round), rounds);
      times.run_on_two({extent});
      times.run_alone({extent, "--blas", "2"});
    }
    row all = row_of(fmt::format("{0} x {0}", extent), times);
    all.limit_ns = times.of("blas, 2 threads", 1);
    all.wanted.max_ratio = 1 / 0.9;
    result.rows.push_back(all);
  }
  result.remarks = times.remarks();
  return result;
}

const benchmark mg("mg", "far-mg on 2 processes, one-sided against MPI", measure_mg);
const benchmark matmul("matmul", "far-matmul on 2 processes, one-sided against MPI and the BLAS",
                       measure_matmul);

}  // namespace
}  // namespace far::bench
