#pragma once
// The benchmarks of `far bench`.

#include <functional>
#include <string>
#include <vector>

#include "bench/harness/report.hpp"

namespace far::bench {

/// The user's choices for a benchmark that has options; empty: the defaults.
struct settings {
  std::string fabric;
  std::string profile;
  std::vector<int> ranks;
  bool quick = false;  ///< few short rounds: to see that a benchmark works, not to measure
};

/// Registers a benchmark of `far bench` under `name`; define a static object, so that it registers
/// before main. `run` is called from a process with one thread, and may fork.
struct benchmark {
  benchmark(std::string name, std::string summary, std::function<report()> run);
  benchmark(std::string name, std::string summary, std::function<report(const settings&)> run);
};

struct entry {
  std::string name;
  std::string summary;  ///< one line for the list
  std::function<report(const settings&)> run;
  bool has_settings = false;  ///< whether `run` uses its settings
};

/// All benchmarks, sorted by name. Call it only after main has begun.
[[nodiscard]] std::vector<entry> benchmarks();

}  // namespace far::bench
