#pragma once
// The MPI libraries of the machine, doing the same as libfar: peers/mpi_peer.c, built with each.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/progress.hpp"

namespace far::bench {

/// Times by name of the library.
using peer_times = std::map<std::string, double>;

/// Runs the peers round by round, and keeps what they measure. Operations have the names that
/// peers/mpi_peer.c gives them.
class mpi_peers {
 public:
  /// Finds out which are here; `label` is for the progress bar.
  explicit mpi_peers(const std::string& label);

  /// Open MPI over TCP between two hosts of test/hosts/hosts.sh; `on_hosts` are the words that run
  /// a command there.
  mpi_peers(const std::string& label, std::vector<std::string> on_hosts);

  /// One round: each library, on so many processes.
  void run(int ranks, const std::vector<std::string>& operations);

  /// Medians over the rounds in nanoseconds, of the libraries that have done the operation.
  [[nodiscard]] peer_times of(int ranks, const std::string& operation) const;

  /// Which libraries are missing and why, or have failed.
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

 private:
  struct peer {
    std::string name;
    std::vector<std::string> launch;
    std::string program;
    bool one_sided_only;  ///< else as another entry of the same library, or without an end
    bool failed = false;
  };

  void add(peer candidate, const std::string& packages);
  void run(peer& which, int ranks, const std::vector<std::string>& operations);

  std::vector<std::string> on_hosts_;
  std::vector<peer> peers_;
  std::map<std::pair<int, std::string>, std::map<std::string, std::vector<double>>> times_;
  std::vector<std::string> remarks_;
  apps::progress_bar bar_;
};

}  // namespace far::bench
