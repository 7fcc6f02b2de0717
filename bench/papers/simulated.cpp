#include "bench/papers/simulated.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/far.hpp"

namespace far::bench {

void check_simulated(std::string_view name, const settings& asked, std::string_view instead) {
  if (!asked.fabric.empty() && asked.fabric != "sim") {
    throw bad_argument(
        fmt::format("--fabric {}: {} runs on simulated machines (sim); on this one, {}",
                    asked.fabric, name, instead));
  }
  if (fabric::in_job()) {
    throw bad_argument(
        fmt::format("{} starts jobs of its own: run it without far run and far sim", name));
  }
}

std::vector<int> ascending(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  const auto again = std::ranges::unique(numbers);
  numbers.erase(again.begin(), again.end());
  return numbers;
}

}  // namespace far::bench
