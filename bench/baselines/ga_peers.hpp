#pragma once
// Measures Global Arrays with the same work as libfar: peers/ga_peer.c, linked with Debian's
// ARMCI-MPI, and with libfar's interface of ARMCI.

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace far::bench {

class ga_peers {
 public:
  /// Finds the programs and mpirun. `rounds`: of each operation in each run, 1 to 41.
  explicit ga_peers(int rounds);

  /// Runs each program on 2 processes, and stores the times. peers/ga_peer.c defines
  /// the names of operations.
  void run(const std::vector<std::string>& operations);

  /// Medians over the runs in nanoseconds: over ARMCI-MPI, or over libfar.
  [[nodiscard]] std::optional<double> over_mpi(const std::string& operation) const;
  [[nodiscard]] std::optional<double> over_libfar(const std::string& operation) const;

  /// What is missing or has failed, and why.
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

 private:
  struct program {
    std::string name;
    std::string path;
    bool failed = false;
    std::map<std::string, std::vector<double>> times = {};
  };

  void run(program& which, const std::vector<std::string>& operations);
  [[nodiscard]] std::optional<double> time_of(const std::string& name,
                                              const std::string& operation) const;

  int rounds_;
  std::vector<program> programs_;
  std::vector<std::string> remarks_;
};

}  // namespace far::bench
