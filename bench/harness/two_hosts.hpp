#pragma once
// Two hosts on which a benchmark runs: network namespaces of this machine, joined by TCP, that
// test/hosts/hosts.sh creates.

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace far::bench {

class two_hosts {
 public:
  /// `limit_s`: of one run.
  explicit two_hosts(int limit_s);

  /// Why the script cannot create hosts here, in its own words; empty if it can.
  [[nodiscard]] std::string obstacle() const;
  /// The beginning of a command that runs a program on the first host; libfar and MPI reach the
  /// other one from there. UCX uses TCP.
  [[nodiscard]] std::vector<std::string> launcher() const;
  /// Runs `far bench NAME --json` with these options in a job of one rank on each host; returns its
  /// rows. Errors: far::error if it fails.
  [[nodiscard]] nlohmann::ordered_json run_benchmark(const std::string& name,
                                                     const std::vector<std::string>& options) const;

 private:
  [[nodiscard]] std::vector<std::string> on_hosts() const;

  int limit_s_;
  std::filesystem::path scripts_;
};

}  // namespace far::bench
