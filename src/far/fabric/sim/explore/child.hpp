#pragma once
// A run of a program under the explorer, in its own process.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "far/fabric/simulate.hpp"

namespace far::fabric::sim {

/// A file without a name. A child can open it by its path.
class unnamed_file {
 public:
  /// Errors: fabric_error.
  unnamed_file();
  ~unnamed_file();
  unnamed_file(const unnamed_file&) = delete;
  unnamed_file& operator=(const unnamed_file&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return file_; }
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string text() const;
  void replace(const std::string& text);

 private:
  int file_;
};

struct child_run {
  int status = 0;  // of the exit, or 128 + the signal
  std::string output;
  std::string errors;
};

using settings = std::vector<std::pair<std::string, std::string>>;

/// The environment variables that a job needs, apart from those of the explorer.
[[nodiscard]] settings settings_of(const simulate_options& job, std::uint64_t seed);

/// Runs the program with these variables and no other FAR_SIM_ variables except FAR_SIM_PATIENCE.
/// SIGALRM ends it after timeout_s seconds, unless that is 0.
/// Errors: bad_argument when it cannot be executed.
child_run run_child(const simulate_options& job, const settings& variables, unsigned timeout_s);

}  // namespace far::fabric::sim
