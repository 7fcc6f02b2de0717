#pragma once
// Programs of the GAP Benchmark Suite (Beamer, Asanovic, Patterson, arXiv:1508.03619), to compare
// far-graph with.

#include <cstdint>
#include <string>
#include <vector>

namespace far::bench {

/// The programs in the folder that the environment variable FAR_GAPBS names, where the suite was
/// built.
class gapbs {
 public:
  /// Errors: far::bad_argument if the variable is set and the folder has none of these programs.
  explicit gapbs(const std::vector<std::string>& programs);

  [[nodiscard]] bool has(const std::string& program) const;
  /// Which comparisons are left out, and why.
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

  /// Runs a program with two threads. `arguments` name the graph, and the number of trials.
  /// Returns the nanoseconds of each trial.
  /// Errors: far::error if it fails, or if its graph has another number of vertices.
  std::vector<double> run(const std::string& program, const std::vector<std::string>& arguments,
                          std::uint64_t vertices) const;

 private:
  std::string folder_;
  std::vector<std::string> found_;
  std::vector<std::string> remarks_;
};

}  // namespace far::bench
