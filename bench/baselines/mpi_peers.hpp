#pragma once
// Measures this machine's MPI libraries with the same work as libfar: peers/mpi_peer.c, built with
// each library.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/progress.hpp"

namespace far::bench {

/// Times by library name.
using peer_times = std::map<std::string, double>;

/// Which MPI libraries to measure, of those that are installed.
enum class mpi_libraries : std::uint8_t {
  all,
  open_mpi,  ///< with shared memory
};

/// Runs the peers round by round, and stores their times. peers/mpi_peer.c defines the names of
/// operations.
class mpi_peers {
 public:
  /// Finds the installed libraries; `label` is for the progress bar. `limit_s`: the most seconds of
  /// one run of a library; spinning processes on too few cores are slow.
  explicit mpi_peers(const std::string& label, mpi_libraries which = mpi_libraries::all,
                     int limit_s = default_limit_s);

  /// Open MPI over TCP between two hosts of test/hosts/hosts.sh; `on_hosts` is the command prefix
  /// that runs a command there.
  mpi_peers(const std::string& label, std::vector<std::string> on_hosts);

  /// Runs one round: each library, on `ranks` processes.
  void run(int ranks, const std::vector<std::string>& operations);

  /// Medians over the rounds in nanoseconds, for each library that has run the operation.
  [[nodiscard]] peer_times of(int ranks, const std::string& operation) const;

  /// Which libraries are missing or failed, and why.
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

 private:
  static constexpr int default_limit_s = 120;

  struct peer {
    std::string name;
    std::vector<std::string> launch;
    std::string program;
    bool one_sided_only;  ///< the rest equals another entry of the same library, or hangs
    bool failed = false;
  };

  void add(peer candidate, const std::string& packages);
  void run(peer& which, int ranks, const std::vector<std::string>& operations);

  std::vector<std::string> on_hosts_;
  std::vector<peer> peers_;
  std::map<std::pair<int, std::string>, std::map<std::string, std::vector<double>>> times_;
  std::vector<std::string> remarks_;
  apps::progress_bar bar_;
  int limit_s_ = default_limit_s;
};

}  // namespace far::bench
