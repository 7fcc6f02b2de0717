#include "far/fabric/sim/simulation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/limits.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/sim/clock.hpp"
#include "far/fabric/sim/explore/job.hpp"
#include "far/fabric/sim/job.hpp"
#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {
namespace {

constexpr std::uint64_t page = 4096;

void check_range(const char* what, int value, int min, int max) {
  if (value >= min && value <= max) return;
  throw bad_argument(fmt::format("a simulated job with {} = {}: must be between {} and {}", what,
                                 value, min, max));
}

/// Address space, not memory: half of what is left is for the ranks' stacks and the program.
std::uint64_t usual_capacity(int ranks) {
  constexpr std::uint64_t usual = std::uint64_t{256} << 20;
  constexpr std::uint64_t min = std::uint64_t{1} << 20;
  constexpr std::uint64_t heaps = 2;
  return std::clamp(base::address_space_left() / 2 / (heaps * static_cast<std::uint64_t>(ranks)),
                    min, usual);
}

std::uint64_t capacity_of(const char* what, std::uint64_t asked, int ranks) {
  if (asked > address::max_offset - page) {
    throw bad_argument(fmt::format("a simulated job with {} = {}: at most {}", what, asked,
                                   address::max_offset - page));
  }
  const std::uint64_t bytes = asked == 0 ? usual_capacity(ranks) : asked;
  return (bytes + page - 1) / page * page;
}

memory_map memory_of(const job_options& options) {
  check_range("ranks", options.ranks, 1, address::max_ranks);
  const auto capacity = [&](const char* what, std::uint64_t asked) {
    return capacity_of(what, asked, options.ranks);
  };
  return {options.ranks, layout_of(capacity("symmetric_bytes", options.symmetric_bytes),
                                   capacity("local_bytes", options.local_bytes))};
}

std::size_t stack_of_environment() {
  constexpr std::uint64_t min = std::uint64_t{64} << 10;
  constexpr std::uint64_t max = std::uint64_t{1} << 30;
  const std::uint64_t bytes = base::environment_size("FAR_SIM_STACK", fiber::default_stack);
  if (bytes >= min && bytes <= max) return bytes;
  throw bad_argument(fmt::format("FAR_SIM_STACK={}: a simulated rank's stack has 64K to 1G",
                                 base::environment_text("FAR_SIM_STACK")));
}

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

/// Exceptions with which survivors may end. out_of_bounds: the memory of ranks that have left is
/// gone.
bool may_follow_death(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const rank_failed&) {
    return true;
  } catch (const out_of_bounds&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

simulation::simulation(const job_options& options, std::unique_ptr<driver> chooses)
    : memory(memory_of(options)), options_(with_environment(options)) {
  check_range("lanes", options.lanes, 1, 16);
  check_range("max_contexts", options.max_contexts, 1, 48);
  check_range("ranks_per_node", options.ranks_per_node, 0, address::max_ranks);
  const std::size_t stack_bytes = stack_of_environment();
  if (options.profile.empty()) {
    auto made = make_explorer(options_, std::move(chooses), [this](auto n) { stalled(n); });
    exploring_ = made.get();
    schedule_ = std::move(made);
  } else {
    profile machine = find_profile(options.profile);
    if (options.ranks_per_node != 0) machine.ranks_per_node = options.ranks_per_node;
    options_.ranks_per_node = machine.ranks_per_node;
    name_ += "/" + machine.name;
    network_ = std::make_unique<network>(machine, options.ranks);
    schedule_ = std::make_unique<clock>();
  }
  schedule_->set_stack_bytes(stack_bytes);
  const int together = options_.ranks_per_node;
  for (int i = 0; i < options.ranks; ++i) {
    nodes_.push_back(together == 0 ? 0 : i / together);
    ranks_.push_back(std::make_unique<rank_fabric>(*this, i));
  }
  for (const auto& r : ranks_) r->add_lanes();
}

simulation::~simulation() { schedule_->drop_events(); }

void simulation::run(const rank_body& body) {
  const crash_locator locator(this, locate_crash);
  for (int i = 0; i < size() && !failed(); ++i) {
    try {
      const auto fiber = schedule_->spawn([this, i, &body] { run_rank(i, body); }, i);
      if (exploring_ != nullptr) exploring_->name_fiber(fiber, i);
    } catch (...) {
      fail(i, std::current_exception());  // those that have been made end
    }
  }
  schedule_->run([this] { stuck(); });
  if (dead_) report_death();  // no-op if it was reported before
  explorer_log* const log = exploring_ == nullptr ? nullptr : exploring_->log();
  if (log != nullptr) {
    if (options_.trace != nullptr) *options_.trace = text_of(log->decisions);
    if (options_.story != nullptr) *options_.story = log->story;
  }
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (log != nullptr && !log->lost.empty()) throw fabric_error(log->lost);
}

crash_site simulation::locate_crash(const void* self, const void* address) noexcept {
  const scheduler& schedule = *static_cast<const simulation*>(self)->schedule_;
  const fiber* const body = schedule.current_body();
  const bool full = body != nullptr && address != nullptr && body->overflows_at(address);
  return {schedule.current_rank(), full ? body->stack_bytes() : 0};
}

void simulation::run_rank(int rank, const rank_body& body) {
  rank_fabric& fabric = this->rank(rank);
  try {
    if (options_.service) fabric.start_service();
    body(fabric);
  } catch (...) {
    fail(rank, std::current_exception());
  }
  fabric.stop_service();
}

void simulation::check() const {
  if (failed()) throw rank_failed(failed_rank_, failure_text_);
}

void simulation::fail(int rank, std::exception_ptr why) {
  if (is_dead(rank) && (!death_reported_ || failed())) return;
  if (failed() && dead_ && !may_follow_death(why)) failure_ = why;  // a survivor's error
  if (failed()) return;
  failure_ = std::move(why);
  failed_rank_ = rank;
  failure_text_ = fmt::format("rank {} failed: {}", rank, text_of(failure_));
  schedule_->drop_events();
  for (const auto& r : ranks_) r->notify_all();
}

std::uint32_t simulation::note_failure(int rank, std::exception_ptr why) {
  const std::uint32_t number = next_serial();
  noted_.emplace(number, noted_failure{rank, std::move(why)});
  return number;
}

std::string simulation::describe_waits() const {
  constexpr std::size_t max_text = 16384;  // enough to see the first of thousands of ranks
  std::string text;
  for (const auto& r : ranks_) {
    if (text.size() > max_text) return text + "\n  ...";
    r->describe_waiting(text);
  }
  return text;
}

void simulation::stuck() {
  if (!noted_.empty()) {
    const noted_failure& cause = noted_.begin()->second;
    return fail(cause.rank, cause.why);
  }
  int first = 0;
  while (first + 1 < size() && !rank(first).has_waiter()) ++first;
  fail(first, std::make_exception_ptr(deadlock(fmt::format(
                  "deadlock of {} simulated ranks under seed {} at {} ns: nothing is on its "
                  "way, and each waits for another{}",
                  size(), options_.seed, schedule_->now() / 1000, describe_waits()))));
}

void simulation::stalled(std::uint64_t steps) {
  int first = 0;
  while (first + 1 < size() && !rank(first).has_waiter()) ++first;
  fail(first, std::make_exception_ptr(deadlock(fmt::format(
                  "livelock of {} simulated ranks under seed {}: in {} steps nothing has changed "
                  "but tries were repeated (FAR_SIM_PATIENCE is the number of steps){}",
                  size(), options_.seed, steps, describe_waits()))));
}

// The rank's fibers learn of its death where they may wait, because there they must handle
// rank_failed anyway. What they start before that has no effect.
void simulation::count_last_calls() {
  if (dead_ || ++calls_ < options_.kill_at) return;
  dead_ = true;
  rank(options_.kill_rank).notify_all();
  announce({event_label::kind::death, options_.kill_rank});
  schedule_->post([this] { report_death(); });
}

void simulation::throw_death() const {
  throw rank_failed(options_.kill_rank, fmt::format("rank {} was killed at its call {}",
                                                    options_.kill_rank, options_.kill_at));
}

void simulation::report_death() {
  if (std::exchange(death_reported_, true)) return;
  try {
    throw_death();
  } catch (...) {
    fail(options_.kill_rank, std::current_exception());
  }
}

void simulation::acknowledge(int from, int to, picoseconds begin, event arrived) {
  if (network_ == nullptr) return schedule_->post(std::move(arrived));
  const link_costs& link = network_->machine().link(network_->between(from, to));
  schedule_->post(std::move(arrived), begin + link.latency);
}

void simulation::end_traffic() {
  touches(touch::part::traffic, touch::mode::adds);
  note_step(quiet_causes_);
  --traffic_;
  detect_quiet();
}

std::uint64_t simulation::arrive() {
  touches(touch::part::traffic, touch::mode::adds);
  note_step(quiet_causes_);
  progressed();
  ++arrived_;
  const std::uint64_t round = quiet_ + 1;
  detect_quiet();
  return round;
}

void simulation::arrive(rank_context& waiter, completion& done) {
  done.begin();
  waiters_.emplace_back(&waiter, &done);
  arrive();
}

void simulation::detect_quiet() {
  if (arrived_ < size() || traffic_ > 0) return;
  arrived_ = 0;
  ++quiet_;
  if (failed()) return;  // no rank waits any more
  if (!follows(waits_end_once)) {
    for (const auto& r : ranks_) r->notify_all();
    return;
  }
  announce({event_label::kind::quiet}, std::exchange(quiet_causes_, {}));
  schedule_->post([waiters = std::exchange(waiters_, {})] {
    for (const auto& [waiter, done] : waiters) waiter->arrived(*done);
  });
}

void run_job(const job_options& options, const rank_body& body) {
  if (under_thread_sanitizer) {
    throw bad_argument("ThreadSanitizer cannot follow fibers: run the ranks as threads instead");
  }
  const job_options chosen = with_environment(options);
  if (explores_all(chosen)) {
    run_exhaustively(chosen, body);
  } else {
    simulation(chosen).run(body);
  }
}

}  // namespace far::fabric::sim
