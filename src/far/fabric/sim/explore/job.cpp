#include "far/fabric/sim/explore/job.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/sim/explore/pct.hpp"
#include "far/fabric/sim/simulation.hpp"

namespace far::fabric::sim {
namespace {

constexpr std::string_view exhaustive_name = "exhaustive";
constexpr std::string_view replay_name = "replay:";

template <class Number>
bool read(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc{} && rest == end;
}

[[noreturn]] void refuse(std::string_view name) {
  throw bad_argument(
      fmt::format("the driver '{}' of a simulated job: want random, random:pause, pct:DEPTH, "
                  "pct:DEPTH:STEPS, exhaustive, exhaustive:verbs, either with :SCHEDULES, or "
                  "replay:TRACE",
                  name));
}

struct pct_choice {
  int depth = 3;
  std::uint64_t length = 0;
};

/// "pct", "pct:3" or "pct:3:1000".
pct_choice parse_pct(std::string_view name) {
  pct_choice result;
  std::string_view rest = name.substr(3);
  if (rest.empty()) return result;
  if (rest.front() != ':') refuse(name);
  rest.remove_prefix(1);
  const std::size_t colon = rest.find(':');
  if (!read(rest.substr(0, colon), result.depth) || result.depth < 1 || result.depth > 100) {
    refuse(name);
  }
  constexpr std::uint64_t max_steps = std::uint64_t{1} << 40;
  if (colon != std::string_view::npos &&
      (!read(rest.substr(colon + 1), result.length) || result.length > max_steps)) {
    refuse(name);
  }
  return result;
}

/// "exhaustive" or "exhaustive:verbs", optionally followed by ":SCHEDULES".
void add_limits(std::string_view name, exhaustive_limits& limits) {
  constexpr std::string_view verbs = ":verbs";
  std::string_view rest = name.substr(exhaustive_name.size());
  if (rest.starts_with(verbs)) {
    limits.verbs_only = true;
    rest.remove_prefix(verbs.size());
  }
  if (rest.empty()) return;
  if (rest.front() != ':' || !read(rest.substr(1), limits.schedules) || limits.schedules == 0) {
    refuse(name);
  }
}

void parse_kill(std::string_view text, job_options& options) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || !read(text.substr(0, at), options.kill_rank) ||
      !read(text.substr(at + 1), options.kill_at) || options.kill_rank < 0 ||
      options.kill_at == 0) {
    throw bad_argument(fmt::format(
        "FAR_SIM_KILL={}: want RANK@CALL, such as 1@17: rank 1 dies at its 17th call", text));
  }
}

/// Long enough that in a job that makes progress every rank has had a turn.
std::uint64_t patience_of(const job_options& options) {
  if (options.patience != 0) return options.patience;
  std::uint64_t steps = std::max<std::uint64_t>(
      100'000, 1000 * static_cast<std::uint64_t>(std::max(options.ranks, 1)));
  if (options.driver.starts_with("pct")) {
    steps = std::max(steps, 8 * parse_pct(options.driver).length);
  }
  return steps;
}

}  // namespace

job_options with_environment(job_options options) {
  if (options.symmetric_bytes == 0) {
    options.symmetric_bytes = base::environment_size("FAR_SYMMETRIC_HEAP", 0);
  }
  if (options.local_bytes == 0) options.local_bytes = base::environment_size("FAR_LOCAL_HEAP", 0);
  options.max_contexts = static_cast<int>(std::min<std::uint64_t>(
      base::environment_number("FAR_CONTEXTS", static_cast<std::uint64_t>(options.max_contexts)),
      std::numeric_limits<int>::max()));
  if (options.driver.empty()) options.driver = base::environment_text("FAR_SIM_DRIVER");
  const std::string_view kill = base::environment_text("FAR_SIM_KILL");
  if (!kill.empty() && options.kill_rank < 0) parse_kill(kill, options);
  const std::string_view patience = base::environment_text("FAR_SIM_PATIENCE");
  if (!patience.empty() && options.patience == 0 &&
      (!read(patience, options.patience) || options.patience == 0)) {
    throw bad_argument(fmt::format("FAR_SIM_PATIENCE={}: want a number of steps", patience));
  }
  return options;
}

std::unique_ptr<driver> make_driver(const job_options& options) {
  const std::string_view name = options.driver;
  if (name.empty() || name == "random") return std::make_unique<random_driver>(options.seed);
  if (name == "random:pause") return std::make_unique<random_driver>(options.seed, true);
  if (name.starts_with("pct")) {
    const pct_choice choice = parse_pct(name);
    return std::make_unique<pct_driver>(options.seed, choice.depth, choice.length);
  }
  if (name.starts_with(replay_name)) {
    return std::make_unique<replay_driver>(parse_trace(name.substr(replay_name.size())));
  }
  refuse(name);
}

std::unique_ptr<explorer> make_explorer(const job_options& options, std::unique_ptr<driver> chooses,
                                        std::function<void(std::uint64_t)> stalled) {
  const std::string record(base::environment_text("FAR_SIM_RECORD"));
  const std::string story(base::environment_text("FAR_SIM_STORY"));
  std::unique_ptr<explorer_log> log;
  if (!record.empty() || !story.empty() || options.trace != nullptr || options.story != nullptr) {
    log = std::make_unique<explorer_log>(record, story);
    log->keeps_story = options.story != nullptr;
  }
  if (chooses == nullptr) chooses = make_driver(options);
  return std::make_unique<explorer>(std::move(chooses), std::move(log), patience_of(options),
                                    std::move(stalled));
}

bool explores_all(const job_options& options) noexcept {
  return options.profile.empty() && options.driver.starts_with(exhaustive_name);
}

exhaustive_result run_exhaustively(const job_options& options, const rank_body& body,
                                   exhaustive_limits limits) {
  add_limits(options.driver, limits);
  exhaustive_search search(limits);
  job_options one = options;
  std::string decisions;
  one.trace = &decisions;
  do {
    try {
      simulation(one, search.begin_run()).run(body);
    } catch (...) {
      if (options.trace != nullptr) *options.trace = decisions;
      fmt::print(stderr,
                 "far: schedule {} of the exhaustive search failed; FAR_SIM_DRIVER=replay:{} "
                 "replays it\n",
                 search.result().schedules + 1, decisions);
      throw;
    }
  } while (search.next_run());
  return search.result();
}

}  // namespace far::fabric::sim
