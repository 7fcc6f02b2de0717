// A process that simulates a whole job. FAR_SIM_RANKS gives the number of ranks; `far sim` sets it,
// and users may.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/sim/exit_watch.hpp"
#include "far/fabric/sim/explore/job.hpp"
#include "far/fabric/sim/job.hpp"
#include "far/fabric/sim/outer_rank.hpp"
#include "far/fabric/sim/simulation.hpp"

namespace far::fabric::sim {
namespace {

/// A number that an int cannot hold is clamped; the job refuses it as too many.
int ranks_of_environment() {
  return static_cast<int>(std::min<std::uint64_t>(base::environment_number("FAR_SIM_RANKS", 1),
                                                  std::numeric_limits<int>::max()));
}

job_options options_of_environment() {
  job_options options;
  options.mode = job_mode::fibers;
  options.ranks = ranks_of_environment();
  options.seed = base::environment_number("FAR_SIM_SEED", 1);
  options.profile = base::environment_text("FAR_SIM_PROFILE");
  options.service = !base::environment_text("FAR_SIM_SERVICE").empty();
  return with_environment(std::move(options));
}

void join_all_orders(const job_options& options, const rank_body& body) {
  const exhaustive_result result = run_exhaustively(options, body);
  fmt::print(stderr, "far: {} schedules, none of which failed{}\n", result.schedules,
             result.complete ? "; there are no others" : "; there are more");
}

/// Writes a line of JSON in one write, so that a reader sees all of it or nothing. Errors:
/// fabric_error.
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
  errno = ENOSPC;  // a short write does not set errno
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const bool written =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int why = errno;
  if (file >= 0) close(file);
  if (written) return;
  throw fabric_error(
      fmt::format("FAR_SIM_REPORT={}: cannot write the report: {}", path, std::strerror(why)));
}

void report(simulation& job) {
  const std::string_view path = base::environment_text("FAR_SIM_REPORT");
  if (!path.empty()) write_report(std::string(path), job);
}

}  // namespace

bool in_job() noexcept { return !base::environment_text("FAR_SIM_RANKS").empty(); }

int ranks_to_hold() {
  const int ranks = ranks_of_environment();
  if (ranks > 0) return ranks;
  throw bad_argument(
      fmt::format("FAR_SIM_RANKS={}: must be between 1 and {}", ranks, address::max_ranks));
}

void run_all_ranks(const rank_body& body) {
  const exit_watch watch;
  const job_options options = options_of_environment();
  if (explores_all(options)) return join_all_orders(options, body);
  simulation job(options);
  job.run(body);
  report(job);
}

std::unique_ptr<membership> join_job() {
  const job_options options = options_of_environment();
  if (explores_all(options)) {
    throw bad_argument(
        "FAR_SIM_DRIVER: a far::job is run once, and not in all orders: write the program as a "
        "function for far::run(program)");
  }
  return join_as_fiber(options, report);
}

}  // namespace far::fabric::sim
