// Runs a program under seed after seed until it fails, then shrinks the trace of the failure.

#include "far/fabric/sim/explore/search.hpp"

#include <cctype>
#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/fabric/address.hpp"
#include "far/fabric/sim/explore/child.hpp"
#include "far/fabric/sim/explore/job.hpp"
#include "far/fabric/sim/explore/shrink.hpp"

namespace far::fabric::sim {
namespace {

constexpr int few_runs = 5;  // to shrink a trace, if each run takes until its timeout
constexpr std::size_t longest_inline_trace = 2000;  // in a command that a person copies

/// The kind of a failure: the exit status, and the first line of output without its numbers, which
/// differ for a smaller trace, and without addresses, which differ in each run.
std::string kind_of(const child_run& run) {
  std::string kind = fmt::format("{}:", run.status);
  const std::string line = run.errors.substr(0, run.errors.find('\n'));
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.compare(i, 2, "0x") == 0) i = line.find_first_not_of("0123456789abcdef", i + 2);
    if (i >= line.size()) break;
    if (std::isdigit(static_cast<unsigned char>(line[i])) == 0) kind += line[i];
  }
  return kind;
}

class searcher {
 public:
  explicit searcher(const explore_options& options)
      : options_(options), all_orders_(options.driver.starts_with("exhaustive")) {
    check();
    if (all_orders_) timeout_s_ = 0;  // one process runs all of them
  }

  explored run();

 private:
  void check() const;
  bool try_seed(std::uint64_t seed);
  bool try_deaths(std::uint64_t seed);
  bool try_out(std::uint64_t seed, const std::string& kill);
  [[nodiscard]] bool is_failure(const child_run& run, const std::string& kill) const;
  [[nodiscard]] settings variables(const std::string& driver) const;
  void explain();
  void say(const std::string& what) const {
    if (options_.progress) options_.progress(done_, what);
  }

  const explore_options& options_;
  bool all_orders_;
  unsigned timeout_s_ = options_.timeout_s;
  std::uint64_t done_ = 0;  // seeds
  explored result_;
  std::string kill_;  // of the failure, or the current run
  child_run last_;
};

void searcher::check() const {
  const simulate_options& job = options_.job;
  if (job.ranks < 1 || job.ranks > address::max_ranks) {
    throw bad_argument(fmt::format("{} ranks: want 1 to {}", job.ranks, address::max_ranks));
  }
  if (options_.seeds < 1) throw bad_argument("0 seeds: want at least 1");
  if (all_orders_ && options_.kill) {
    throw bad_argument("the exhaustive driver kills no ranks: use random or pct");
  }
  job_options known;
  known.driver = options_.driver;
  if (!explores_all(known)) (void)make_driver(known);
}

explored searcher::run() {
  const std::uint64_t seeds = all_orders_ ? 1 : options_.seeds;
  for (; done_ < seeds; ++done_) {
    const std::uint64_t seed = options_.job.seed + done_;
    if (options_.kill ? try_deaths(seed) : try_seed(seed)) {
      explain();
      return result_;
    }
  }
  if (all_orders_) result_.told = last_.errors;
  return result_;
}

bool searcher::try_seed(std::uint64_t seed) {
  say(all_orders_ ? "all orders" : fmt::format("seed {}", seed));
  return try_out(seed, "");
}

/// Each rank dies at its first call, then at its second, and so on until it ends before that call.
/// In long programs, late calls are sampled, differently under each seed.
bool searcher::try_deaths(std::uint64_t seed) {
  constexpr std::uint64_t each = 256;
  base::random random(seed);
  for (int rank = 0; rank < options_.job.ranks; ++rank) {
    for (std::uint64_t call = 1;; call += call < each ? 1 : 1 + random.below(call / 8)) {
      say(fmt::format("seed {}, rank {} dies at call {}", seed, rank, call));
      if (try_out(seed, fmt::format("{}@{}", rank, call))) return true;
      if (last_.status == 0) break;
    }
  }
  return false;
}

bool searcher::try_out(std::uint64_t seed, const std::string& kill) {
  result_.seed = seed;
  kill_ = kill;
  ++result_.runs;
  last_ = run_child(options_.job, variables(options_.driver), timeout_s_);
  if (last_.status == 128 + SIGINT) throw error("interrupted");
  result_.failed = is_failure(last_, kill);
  return result_.failed;
}

bool searcher::is_failure(const child_run& run, const std::string& kill) const {
  if (run.status == 0) return false;
  if (kill.empty()) return true;
  const std::size_t at = kill.find('@');
  return run.status != 1 ||
         run.errors.find(fmt::format("rank {} was killed at its call {}\n", kill.substr(0, at),
                                     kill.substr(at + 1))) == std::string::npos;
}

settings searcher::variables(const std::string& driver) const {
  settings result = settings_of(options_.job, result_.seed);
  result.emplace_back("FAR_SIM_DRIVER", driver);
  if (!kill_.empty()) result.emplace_back("FAR_SIM_KILL", kill_);
  return result;
}

/// Finds the trace of the failure, and a smaller one.
void searcher::explain() {
  const unnamed_file log;
  unnamed_file input;
  say("the trace");
  const child_run found = last_;
  settings recording = variables(options_.driver);
  recording.emplace_back("FAR_SIM_RECORD", log.path());
  const child_run again = run_child(options_.job, recording, timeout_s_);
  result_.status = found.status;
  result_.errors = found.errors.empty() ? found.output : found.errors;
  const std::string kind = kind_of(found);
  if (all_orders_ ? again.status != found.status : kind_of(again) != kind) return;

  input.replace(log.text());
  const trace whole = parse_trace("@" + input.path());
  const auto replay = [&](const trace& decisions, const settings& more) {
    input.replace(text_of(decisions));
    settings replaying = variables("replay:@" + input.path());
    replaying.insert(replaying.end(), more.begin(), more.end());
    return run_child(options_.job, replaying, timeout_s_);
  };
  child_run last = replay(whole, {});
  if (!is_failure(last, kill_)) return;
  const std::string kind_of_replay = kind_of(last);
  const shrunk small = shrink(
      whole,
      [&](const trace& decisions) {
        say(fmt::format("shrinking, {} choices", deviations_of(decisions)));
        const child_run run = replay(decisions, {});
        return is_failure(run, kill_) && kind_of(run) == kind_of_replay;
      },
      found.status == 128 + SIGALRM ? few_runs : options_.shrink_runs);
  last = replay(small.decisions, {{"FAR_SIM_STORY", log.path()}});
  result_.repeats = true;
  result_.errors = last.errors.empty() ? last.output : last.errors;
  result_.status = last.status;
  result_.story = log.text();
  result_.deviations = deviations_of(small.decisions);
  result_.first_deviations = deviations_of(whole);
  result_.shrink_runs = small.runs;
  const std::string text = text_of(small.decisions);
  const bool fits = text.size() <= longest_inline_trace;
  for (const auto& [name, value] : variables(fits ? "replay:" + text : options_.driver)) {
    result_.setting += fmt::format("{}={} ", name, value);
  }
}

}  // namespace

explored explore(const explore_options& options) { return searcher(options).run(); }

}  // namespace far::fabric::sim
