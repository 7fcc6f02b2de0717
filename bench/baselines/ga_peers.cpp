#include "bench/baselines/ga_peers.hpp"

#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/statistics.hpp"

namespace far::bench {
namespace {

constexpr int limit_s = 120;
constexpr const char* packages =
    "openmpi-bin libopenmpi-dev libglobalarrays-dev libarmci-mpi-dev libscalapack-openmpi-dev "
    "libopenblas-dev";

}  // namespace

ga_peers::ga_peers(int rounds) : rounds_(rounds) {
  for (const char* name : {"ga_peer.armci-mpi", "ga_peer.libfar"}) {
    const auto path = own_folder() / "../libexec/far" / name;
    if (!std::filesystem::exists(path)) {
      remarks_.push_back(
          fmt::format("Without {}: it was not built, because Global Arrays were not there (Debian: "
                      "{}).",
                      name, packages));
    } else if (!in_path("mpirun.openmpi")) {
      remarks_.push_back(
          fmt::format("Without {}: mpirun.openmpi is not installed (Debian: openmpi-bin).", name));
    } else {
      programs_.push_back({name, std::filesystem::canonical(path).string()});
    }
  }
}

void ga_peers::run(const std::vector<std::string>& operations) {
  for (program& p : programs_) {
    if (!p.failed) run(p, operations);
  }
}

void ga_peers::run(program& which, const std::vector<std::string>& operations) {
  // Of Open MPI's windows, those in shared memory are the fastest ones for ARMCI-MPI. A BLAS with
  // threads of its own would compete with the ranks.
  std::vector<std::string> words{"mpirun.openmpi",
                                 "--allow-run-as-root",
                                 "--oversubscribe",
                                 "--mca",
                                 "osc",
                                 "sm",
                                 "-x",
                                 "OPENBLAS_NUM_THREADS=1",
                                 "-bind-to",
                                 core_count() >= 2 ? "core" : "none",
                                 "-n",
                                 "2",
                                 which.path,
                                 fmt::format("{}", rounds_)};
  words.insert(words.end(), operations.begin(), operations.end());
  const outcome result = run_program(words, limit_s);
  if (result.status != 0) {
    which.failed = true;
    remarks_.push_back(fmt::format("{} failed: {}", which.name, result.complaint()));
  }
  std::istringstream lines(result.output);
  std::string operation;
  double ns = 0;
  while (lines >> operation >> ns) which.times[operation].push_back(ns);
}

std::optional<double> ga_peers::time_of(const std::string& name,
                                        const std::string& operation) const {
  for (const program& p : programs_) {
    if (p.name != name) continue;
    const auto found = p.times.find(operation);
    if (found != p.times.end()) return median(found->second);
  }
  return {};
}

std::optional<double> ga_peers::over_mpi(const std::string& operation) const {
  return time_of("ga_peer.armci-mpi", operation);
}

std::optional<double> ga_peers::over_libfar(const std::string& operation) const {
  return time_of("ga_peer.libfar", operation);
}

}  // namespace far::bench
