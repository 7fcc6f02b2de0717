#pragma once
// The benchmarks that `far bench` knows.

#include <functional>
#include <string>
#include <vector>

#include "bench/harness/report.hpp"

namespace far::bench {

/// What the user asks of a benchmark that can do more than one thing; empty: as it is usual.
struct settings {
  std::string fabric;
  std::string profile;
  std::vector<int> ranks;
};

/// Makes a benchmark known to `far bench` under `name`: a static object of it does so before main.
/// `run` is called from a process with one thread, and may fork.
struct benchmark {
  benchmark(std::string name, std::string summary, std::function<report()> run);
  benchmark(std::string name, std::string summary, std::function<report(const settings&)> run);
};

struct entry {
  std::string name;
  std::string summary;  ///< a line for the list
  std::function<report(const settings&)> run;
  bool has_settings = false;  ///< else it takes none
};

/// All of them by name. Call it once main has begun.
[[nodiscard]] std::vector<entry> benchmarks();

}  // namespace far::bench
