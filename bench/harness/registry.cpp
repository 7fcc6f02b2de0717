#include "bench/harness/registry.hpp"

#include <algorithm>
#include <utility>

namespace far::bench {
namespace {

std::vector<entry>& registered() {
  static std::vector<entry> entries;
  return entries;
}

}  // namespace

benchmark::benchmark(std::string name, std::string summary, std::function<report()> run) {
  registered().push_back({std::move(name), std::move(summary),
                          [run = std::move(run)](const settings&) { return run(); }});
}

benchmark::benchmark(std::string name, std::string summary,
                     std::function<report(const settings&)> run) {
  registered().push_back({std::move(name), std::move(summary), std::move(run), true});
}

std::vector<entry> benchmarks() {
  std::vector<entry> sorted = registered();
  std::ranges::sort(sorted, {}, &entry::name);
  return sorted;
}

}  // namespace far::bench
