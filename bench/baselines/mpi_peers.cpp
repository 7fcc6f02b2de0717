#include "bench/baselines/mpi_peers.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"

namespace far::bench {
namespace {

bool is_one_sided(const std::string& operation) {
  return operation != "barrier" && operation != "round_trip";
}

// Open MPI 4.1 over osc/ucx hangs in these operations: two ranks' compare-and-swaps meet at one
// target. Both ranks were observed waiting for the lock that osc/ucx acquires for each of them.
bool swaps_at_once(const std::string& operation) {
  return operation.starts_with("table_") ||
         (operation.starts_with("queue_") && !operation.ends_with("_phase"));
}

}  // namespace

mpi_peers::mpi_peers(const std::string& label, mpi_libraries which, int limit_s)
    : bar_(label), limit_s_(limit_s) {
  // By default, Open MPI 4.1 uses osc/rdma, whose compare-and-swap crashes (its issue 7027).
  const std::vector<std::string> open_mpi = {"mpirun.openmpi", "--allow-run-as-root",
                                             "--oversubscribe", "--mca", "osc"};
  auto with = [&](const char* component) {
    auto words = open_mpi;
    words.push_back(component);
    return words;
  };
  add({"Open MPI", with("sm"), "mpi_peer.openmpi", false}, "openmpi-bin libopenmpi-dev");
  if (which == mpi_libraries::open_mpi) return;
  if (!peers_.empty()) add({"Open MPI, ucx", with("ucx"), "mpi_peer.openmpi", true}, "");
  add({"MPICH", {"mpirun.mpich"}, "mpi_peer.mpich", false}, "mpich libmpich-dev");
}

mpi_peers::mpi_peers(const std::string& label, std::vector<std::string> on_hosts)
    : on_hosts_(std::move(on_hosts)), bar_(label) {
  const std::vector<std::string> open_mpi = {
      "mpirun.openmpi", "--allow-run-as-root", "-H", "farhost0,farhost1", "-x", "UCX_TLS", "-x",
      "UCX_NET_DEVICES"};
  auto with = [&](std::vector<std::string> components) {
    auto words = open_mpi;
    // The hosts' configuration makes ranks yield, because they usually outnumber the cores.
    if (core_count() >= 2) words.insert(words.end(), {"--mca", "mpi_yield_when_idle", "0"});
    words.insert(words.end(), components.begin(), components.end());
    return words;
  };
  add({"Open MPI",
       with({"--mca", "pml", "ob1", "--mca", "btl", "self,tcp", "--mca", "osc", "pt2pt"}),
       "mpi_peer.openmpi", false},
      "openmpi-bin libopenmpi-dev");
  if (peers_.empty()) return;
  // By default, Open MPI uses UCX only over InfiniBand.
  add({"Open MPI, ucx",
       with({"--mca", "pml", "ucx", "--mca", "osc", "ucx", "--mca", "opal_common_ucx_tls", "any",
             "--mca", "opal_common_ucx_devices", "any"}),
       "mpi_peer.openmpi", false},
      "");
}

void mpi_peers::add(peer candidate, const std::string& packages) {
  const auto program = own_folder() / "../libexec/far" / candidate.program;
  const bool built = std::filesystem::exists(program);
  if (built && in_path(candidate.launch.front())) {
    candidate.program = std::filesystem::canonical(program).string();
    peers_.push_back(std::move(candidate));
  } else if (built) {
    remarks_.push_back(fmt::format("Without {}: {} is not installed (Debian: {}).", candidate.name,
                                   candidate.launch.front(), packages));
  } else {
    remarks_.push_back(fmt::format("Without {}: it was not there when far was built (Debian: {}).",
                                   candidate.name, packages));
  }
}

void mpi_peers::run(int ranks, const std::vector<std::string>& operations) {
  std::size_t step = 0;
  for (peer& which : peers_) {
    bar_.update(step++, peers_.size(), fmt::format("{}, {} processes", which.name, ranks));
    if (!which.failed) run(which, ranks, operations);
  }
  bar_.finish();
}

void mpi_peers::run(peer& which, int ranks, const std::vector<std::string>& operations) {
  std::vector<std::string> words = on_hosts_;
  words.insert(words.end(), which.launch.begin(), which.launch.end());
  // Bind like libfar's ranks. Not on hosts: both would bind to the machine's first core.
  const bool own_cores = ranks <= core_count() && on_hosts_.empty();
  words.insert(words.end(), {"-bind-to", own_cores ? "core" : "none", "-n",
                             fmt::format("{}", ranks), which.program});
  bool any = false;
  for (const std::string& operation : operations) {
    if (which.one_sided_only && (!is_one_sided(operation) || swaps_at_once(operation))) continue;
    words.push_back(operation);
    any = true;
  }
  if (!any) return;

  const outcome result = run_program(words, limit_s_);
  if (result.status != 0) {
    which.failed = true;
    remarks_.push_back(
        fmt::format("{} on {} processes failed: {}", which.name, ranks, result.complaint()));
  }
  std::istringstream lines(result.output);
  std::string operation;
  double ns = 0;
  while (lines >> operation >> ns) times_[{ranks, operation}][which.name].push_back(ns);
}

peer_times mpi_peers::of(int ranks, const std::string& operation) const {
  peer_times result;
  const auto found = times_.find({ranks, operation});
  if (found == times_.end()) return result;
  for (const auto& [name, times] : found->second) result[name] = median(times);
  return result;
}

}  // namespace far::bench
