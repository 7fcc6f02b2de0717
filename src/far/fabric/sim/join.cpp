// A process that is to simulate the whole job that it is part of. FAR_SIM_RANKS says of how many
// ranks; `far sim` sets it, and anybody may.

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/sim/explore/job.hpp"
#include "far/fabric/sim/job.hpp"
#include "far/fabric/sim/simulation.hpp"

namespace far::fabric::sim {
namespace {

template <class Number>
Number number_of(const char* variable, Number fallback) {
  const std::string_view text = base::environment_text(variable);
  if (text.empty()) return fallback;
  Number value = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || rest != text.data() + text.size()) {
    throw bad_argument(fmt::format("{}={}: want a number", variable, text));
  }
  return value;
}

job_options options_of_environment() {
  job_options options;
  options.mode = job_mode::fibers;
  options.ranks = number_of<int>("FAR_SIM_RANKS", 1);
  options.seed = number_of<std::uint64_t>("FAR_SIM_SEED", 1);
  options.profile = base::environment_text("FAR_SIM_PROFILE");
  options.symmetric_bytes = base::environment_size("FAR_SYMMETRIC_HEAP", 0);
  options.local_bytes = base::environment_size("FAR_LOCAL_HEAP", 0);
  options.service = !base::environment_text("FAR_SIM_SERVICE").empty();
  return with_environment(std::move(options));
}

void join_all_orders(const job_options& options, const rank_body& body) {
  const exhaustive_result result = run_exhaustively(options, body);
  fmt::print(stderr, "far: {} schedules, none of which failed{}\n", result.schedules,
             result.complete ? "; there are no others" : "; there are more");
}

/// One line of JSON, in one write: a reader sees all of it or nothing.
void write_report(const std::string& path, simulation& job) {
  const statistics& s = job.counts;
  const std::string text = fmt::format(
      R"({{"ranks": {}, "profile": "{}", "virtual_ns": {:.3f}, "puts": {}, "gets": {}, )"
      R"("atomics": {}, "signals": {}, "messages": {}, "replies": {}, "put_bytes": {}, )"
      R"("get_bytes": {}, "message_bytes": {}}})"
      "\n",
      job.size(), job.costs() == nullptr ? "" : job.costs()->name,
      static_cast<double>(job.schedule().now()) / 1000, s.puts, s.gets, s.atomics, s.signals,
      s.messages, s.replies, s.put_bytes, s.get_bytes, s.message_bytes);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    fmt::print(stderr, "far: FAR_SIM_REPORT={}: cannot write the report\n", path);
  }
  if (file >= 0) close(file);
}

}  // namespace

bool in_job() noexcept { return !base::environment_text("FAR_SIM_RANKS").empty(); }

void join_job(const rank_body& body) {
  const job_options options = options_of_environment();
  if (explores_all(options)) return join_all_orders(options, body);
  simulation job(options);
  job.run(body);
  const std::string_view report = base::environment_text("FAR_SIM_REPORT");
  if (!report.empty()) write_report(std::string(report), job);
}

}  // namespace far::fabric::sim
