#include "bench/baselines/gapbs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/harness/program.hpp"
#include "bench/harness/surroundings.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

constexpr int limit_s = 300;
constexpr std::string_view trial = "Trial Time:";

}  // namespace

gapbs::gapbs(const std::vector<std::string>& programs) {
  const char* const folder = std::getenv("FAR_GAPBS");
  if (folder == nullptr || *folder == '\0') {
    remarks_.emplace_back(
        "Without the GAP Benchmark Suite: FAR_GAPBS does not name the folder where it was built.");
    return;
  }
  folder_ = folder;
  std::vector<std::string> missing;
  for (const std::string& program : programs) {
    const bool there = access(fmt::format("{}/{}", folder_, program).c_str(), X_OK) == 0;
    (there ? found_ : missing).push_back(program);
  }
  if (found_.empty()) {
    throw bad_argument(fmt::format(
        "FAR_GAPBS is '{}', where there is no program of the GAP Benchmark Suite ({}): build it "
        "there with make, or unset the variable",
        folder_, fmt::join(programs, ", ")));
  }
  if (!missing.empty()) {
    remarks_.push_back(fmt::format("Without {} of the GAP Benchmark Suite: not in {}.",
                                   fmt::join(missing, ", "), folder_));
  }
}

bool gapbs::has(const std::string& program) const {
  return std::ranges::find(found_, program) != found_.end();
}

std::vector<double> gapbs::run(const std::string& program,
                               const std::vector<std::string>& arguments,
                               std::uint64_t vertices) const {
  std::vector<std::string> line = {fmt::format("{}/{}", folder_, program)};
  line.insert(line.end(), arguments.begin(), arguments.end());
  const std::vector<std::pair<const char*, const char*>> two_threads = {{"OMP_NUM_THREADS", "2"}};
  const surroundings around(two_threads);
  const outcome result = run_program(line, limit_s);
  if (result.status != 0) throw error(fmt::format("{} failed: {}", line[0], result.complaint()));
  if (result.output.find(fmt::format("Graph has {} nodes ", vertices)) == std::string::npos) {
    throw error(fmt::format("{} does not say that its graph has {} nodes", line[0], vertices));
  }
  std::vector<double> times;
  std::istringstream lines(result.output);
  for (std::string text; std::getline(lines, text);) {
    if (text.starts_with(trial)) times.push_back(std::stod(text.substr(trial.size())) * 1e9);
  }
  if (times.empty()) throw error(fmt::format("{} tells no trial's time", line[0]));
  return times;
}

}  // namespace far::bench
