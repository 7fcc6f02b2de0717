// Progress and waiting. A context that waits parks its fiber; notify() makes it check again. Only
// what wakes by the contract calls notify(): a program that relies on a plain put to wake a rank
// deadlocks here. A wait that says that it is for plain memory is woken by each change of its
// rank's memory, as if it looked again and again: so it is explored as other waits are, and no
// livelock.

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/interrupt.hpp"
#include "far/fabric/sim/lane.hpp"
#include "far/fabric/sim/operation.hpp"
#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {

rank_context::rank_context(rank_fabric& home, int index)
    : context(home, index), home_(&home), serial_(home.job().next_serial()) {
  home.contexts()[static_cast<std::size_t>(index)] = this;
}

rank_context::~rank_context() {
  // After the job, the lanes' contexts are closed outside all fibers.
  if (!is_unwinding() && schedule().current() != scheduler::no_rank) {
    const auto ended = [this] {
      return in_flight_ == nullptr || job().failed() || job().is_dead(this->home().rank());
    };
    const bool was_ended = ended();
    linger(ended, {"flush at close", -1, {}});
    if (was_ended && !finished_.empty()) {  // as if it had waited
      job().exploring()->woken(schedule().current(), finishing_steps());
      schedule().yield();
    }
  }
  forget_operations();
  for (const auto& flush : of_all_) flush->of = nullptr;
  for (auto entry = job().requests.begin(); entry != job().requests.end();) {
    if (entry->second.issuer == this) {
      job().orphans.insert(entry->first);
      entry = job().requests.erase(entry);
    } else {
      ++entry;
    }
  }
  home().contexts()[static_cast<std::size_t>(index())] = nullptr;
}

rank_context::visit::visit(rank_context& place, bool gives_way)
    : place_(&place), before_(place.user_) {
  constexpr std::uint64_t others_first = 4;  // of 16
  scheduler& schedule = place.schedule();
  const scheduler::fiber_id me = schedule.current();
  if (before_ != scheduler::no_rank && before_ != me) {
    throw bad_argument(fmt::format("two threads use context {} of rank {} at the same time",
                                   place.index(), place.home().rank()));
  }
  place.job().count_call(place.home().rank());
  place.user_ = me;
  if (!gives_way) return;
  if (schedule.about(question::give_way).chance(others_first)) schedule.yield();
  place.acted_ = true;
}

/// Lets changes of the rank's memory wake the context, for one wait.
class rank_context::memory_watch {
 public:
  memory_watch(rank_context& place, const wait_reason& reason)
      : place_(&place), begins_(reason.plain_memory && !place.watches_memory_) {
    if (begins_) set(true);
  }
  ~memory_watch() {
    if (begins_) set(false);
  }
  memory_watch(const memory_watch&) = delete;
  memory_watch& operator=(const memory_watch&) = delete;

 private:
  void set(bool watches) noexcept {
    place_->watches_memory_ = watches;
    place_->home().add_watcher(watches ? +1 : -1);
  }

  rank_context* place_;
  bool begins_;
};

void rank_context::arrived(completion& done, std::span<const step_number> causes) {
  job().touches(touch::part::mind, touch::mode::adds, home().rank());
  inbox_.push({&done, nullptr, {}, {causes.begin(), causes.end()}});
  if (causes.empty()) job().note_step(inbox_.back().causes);
  traffic_begins();
  if (awaited_ == nullptr || !inbox_.back().is_silent()) return notify(causes);
  const std::vector<step_number> all = causes_of_awaited();
  if (!all.empty()) notify(all);
}

/// The steps that together brought all that the wait needs; empty if something is missing.
std::vector<step_number> rank_context::causes_of_awaited() const {
  std::vector<step_number> result;
  std::uint32_t count = 0;
  inbox_.for_each([&](const arrival& one) {
    if (one.done != awaited_) return;
    ++count;
    result.insert(result.end(), one.causes.begin(), one.causes.end());
  });
  if (count < awaited_->pending) result.clear();
  return result;
}

void rank_context::arrived(request& answered, std::vector<std::byte> inline_bytes,
                           bool lands_only) {
  job().touches(touch::part::mind, touch::mode::adds, home().rank());
  inbox_.push({&answered, &answered, std::move(inline_bytes), {}, lands_only});
  job().note_step(inbox_.back().causes);
  traffic_begins();
  notify();
}

bool rank_context::run_inbox() {
  bool any = false;
  while (!inbox_.empty()) {
    const arrival next = inbox_.pop();
    if (next.answered != nullptr && !next.lands_only) home().charge(&profile::answer);
    if (next.answered != nullptr && next.answered->on_reply != nullptr) {
      next.answered->on_reply(*next.answered, next.inline_bytes);
    }
    next.done->end();
    traffic_ends();
    any = true;
  }
  return any;
}

bool rank_context::make_progress() {
  touch_own(touch::part::mind);
  const bool completed = run_inbox();
  const std::uint64_t begin = home().now();
  const bool ran = home().run_lanes();
  add_service(home().now() - begin);
  check_alive();
  return ran || completed;
}

bool rank_context::progress() {
  const visit inside(*this);
  polled_ = {};
  // Callers may loop over progress(), and would not learn of the failure otherwise.
  if (!is_unwinding()) check_job();
  if (make_progress()) return true;
  // What a loop over progress() waits for may need the other fibers to run.
  tried_again();
  home().charge(&profile::poll);
  schedule().yield();
  return false;
}

void rank_context::check_may_wait() const {
  for (int i = 0; home().has_lane_work() && i < home().lanes(); ++i) {
    if (home().lane_at(i).is_run_by(schedule().current())) {
      throw bad_argument("handlers, their tasks and completions must not wait");
    }
  }
}

bool rank_context::wait(base::function_ref<bool()> ready, deadline_ns deadline,
                        const wait_reason& reason) {
  if (job().follows(verbs_alone)) return wait_for_arrivals(ready, deadline, reason);
  const visit inside(*this);
  const memory_watch watches(*this, reason);
  polled_ = {};
  check_may_wait();
  check_alive();
  if (ready()) return true;
  const picoseconds until = from_ns(deadline);
  for (;;) {
    const std::uint64_t notices = notices_;
    const bool any = make_progress();
    if (ready()) return true;
    check_job();
    if (any) continue;
    if (schedule().now() >= until) return false;
    if (has_arrivals() || !home().lanes_idle()) continue;
    sleep(notices, until, reason);
    home().charge(&profile::completion);
  }
}

void rank_context::wait(completion& done, const wait_reason& reason) {
  if (!job().follows(waits_end_once)) return context::wait(done, reason);
  if (done.done()) return;
  struct awaiting {
    const completion*& place;
    ~awaiting() { place = nullptr; }
  } const until_return{awaited_};
  awaited_ = &done;
  wait_for_arrivals([&done] { return done.done(); }, never, reason);
}

// The first check belongs to the step of the call before: it changes nothing, so if it finds
// nothing, it might as well have come later. If something is there already, that is the same as its
// arriving while the fiber sleeps. A check of words is a step of its own (peek).
bool rank_context::wait_for_arrivals(base::function_ref<bool()> ready, deadline_ns deadline,
                                     const wait_reason& reason) {
  const visit inside(*this, false);
  const memory_watch watches(*this, reason);
  check_may_wait();
  check_alive();
  const picoseconds until = from_ns(deadline);
  std::uint64_t notices = notices_;
  while (!ready()) {
    check_job();
    if (report_arrivals()) {
      waiting_ = true;  // later arrivals are causes as well
      sleeper_ = schedule().current();
      schedule().yield();
      waiting_ = false;
    } else if (schedule().now() < until) {
      sleep(notices, until, reason);
    } else {
      return false;
    }
    notices = notices_;
    acted_ = make_progress();  // a handler ran: what it started may take place before the check
    if (!acted_) look_ = job().exploring()->current_step();
  }
  acted_ = true;
  return true;
}

/// Reports to the explorer what has arrived that the wait must handle. Returns true if anything
/// has.
bool rank_context::report_arrivals() {
  bool any = false;
  const auto tell = [&](std::span<const step_number> causes) {
    job().exploring()->woken(schedule().current(), causes);
    any = true;
  };
  inbox_.for_each([&](const arrival& one) {
    if (awaited_ == nullptr || !one.is_silent()) tell(one.causes);
  });
  if (awaited_ != nullptr) {
    const std::vector<step_number> all = causes_of_awaited();
    if (!all.empty()) tell(all);
  }
  for (int i = 0; i < home().lanes(); ++i) {
    lane& one = home().lane_at(i);
    if (!one.is_idle()) tell(one.cause());
  }
  return any;
}

void rank_context::sleep(std::uint64_t notices, picoseconds until, const wait_reason& reason) {
  if (!awaits_completion()) job().touches(touch::part::notices, touch::mode::reads, home().rank());
  if (notices != notices_) return;
  if (explorer* const e = job().exploring();
      e != nullptr && !acted_ && look_ == e->current_step()) {
    e->empty_poll();
  }
  waiting_ = true;
  explorer* const exploring = until == sim::never ? nullptr : job().exploring();
  if (exploring != nullptr) exploring->begin_waiting_for_time();
  reason_ = reason;
  sleeper_ = schedule().current();
  const picoseconds since = schedule().now();
  schedule().park(until);
  home().slept(since);
  if (exploring != nullptr) exploring->end_waiting_for_time();
  waiting_ = false;
}

void rank_context::linger(base::function_ref<bool()> ready, const wait_reason& reason) {
  lingering_ = true;
  if (!job().follows(waits_end_once)) {
    touch_own(touch::part::mind);
    touch_own(touch::part::transfers);
  }
  while (!ready()) sleep(notices_, sim::never, reason);
  lingering_ = false;
}

void rank_context::touch_own(touch::part what) const {
  job().touches(what, touch::mode::changes, home().rank());
}

void rank_context::check_alive() {
  if (!job().is_dead(home().rank())) return;
  // Not during unwinding, where an exception would end the process.
  if (is_unwinding()) return;
  forget_operations();
  home().note_failure();
  job().check_alive(home().rank());
}

void rank_context::check_job() {
  const bool failed = job().failed();
  if (!failed && !is_interrupted()) return;
  forget_operations();
  if (failed) return home().check_job();
  home().note_failure();
  throw_interrupted(home().rank());
}

/// Drops operations in flight, and completions that no one has looked at: they do not take place,
/// and their waiters are not notified. The waiters are about to unwind, which frees the completions
/// and the memory that the operations would read and write.
void rank_context::forget_operations() noexcept {
  for (; !inbox_.empty(); traffic_ends()) (void)inbox_.pop();
  while (in_flight_ != nullptr) {
    operation& op = *std::exchange(in_flight_, in_flight_->next);
    op.issuer = nullptr;
    op.previous = nullptr;
    op.next = nullptr;
  }
}

void rank_context::notify(std::span<const step_number> causes) {
  ++notices_;
  if (!waiting_) return;
  if (explorer* const exploring = job().exploring()) exploring->woken(sleeper_, causes);
  schedule().wake(sleeper_);
}

void rank_context::compute(std::uint64_t duration_ns) {
  const visit inside(*this);
  polled_ = {};
  check_may_wait();
  explorer* const exploring = job().exploring();
  if (exploring != nullptr) exploring->begin_waiting_for_time();
  home().computes(+1);
  schedule().park(std::min(later(schedule().now(), from_ns(duration_ns)), sim::never - 1));
  home().computes(-1);
  if (exploring != nullptr) exploring->end_waiting_for_time();
}

void rank_context::charge(std::uint64_t duration_ps) { home().charge_work(duration_ps); }

std::uint64_t rank_context::peek(address word) const {
  if (word.rank() != home().rank() || word.offset() % sizeof(std::uint64_t) != 0) {
    throw bad_argument("peek: wants an aligned word of 8 bytes of this rank's own segments");
  }
  home().check_bounds(word, sizeof(std::uint64_t));
  if (explorer* const exploring = job().exploring()) {
    if (exploring->follows(verbs_alone) && std::exchange(acted_, false)) {
      schedule().yield();
      look_ = exploring->current_step();
    }
    exploring->touches({touch::part::memory, touch::mode::reads, word.bits(),
                        word.bits() + sizeof(std::uint64_t)});
  }
  // A rank that waits for a word has its cache line.
  if (network* const net = job().net()) {
    net->line_transfer(home().rank(), word, false, schedule().now());
  }
  std::uint64_t value = 0;
  std::memcpy(&value, home().local(word), sizeof(value));
  return value;
}

}  // namespace far::fabric::sim
