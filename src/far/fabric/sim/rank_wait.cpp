// Progress and waiting. A context that waits parks its fiber; notify() lets it look again. What
// notifies is what the contract says wakes, and nothing else: a program that counts on a plain
// put to wake somebody comes to a deadlock here.

#include <algorithm>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/sim/lane.hpp"
#include "far/fabric/sim/operation.hpp"
#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {

rank_context::rank_context(rank_fabric& home, int index)
    : context(home, index), home_(&home), serial_(home.job().next_serial()) {
  home.contexts()[static_cast<std::size_t>(index)] = this;
}

rank_context::~rank_context() {
  // After the job the lanes' contexts are closed outside all fibers.
  if (std::uncaught_exceptions() == 0 && schedule().current() != scheduler::nobody) {
    linger([this] { return under_way_.empty() || job().failed(); }, {"flush at close", -1, {}});
  }
  for (const std::shared_ptr<operation>& op : under_way_) op->issuer = nullptr;
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

rank_context::visit::visit(rank_context& place) : place_(&place), before_(place.user_) {
  constexpr std::uint64_t others_first = 4;  // of 16
  scheduler& schedule = place.schedule();
  const scheduler::fiber_id me = schedule.current();
  if (before_ != scheduler::nobody && before_ != me) {
    throw bad_argument(fmt::format("two threads use context {} of rank {} at the same time",
                                   place.index(), place.home().rank()));
  }
  place.user_ = me;
  if (schedule.chance(others_first)) schedule.yield();
}

void rank_context::arrived(completion& done) {
  inbox_.push_back({&done, nullptr, {}});
  traffic_begins();
  notify();
}

void rank_context::arrived(request& answered, std::vector<std::byte> inline_bytes) {
  inbox_.push_back({&answered, &answered, std::move(inline_bytes)});
  traffic_begins();
  notify();
}

bool rank_context::run_inbox() {
  bool any = false;
  while (!inbox_.empty()) {
    const arrival next = std::move(inbox_.front());
    inbox_.pop_front();
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
  const bool completed = run_inbox();
  return home().run_lanes() || completed;
}

bool rank_context::progress() {
  const visit inside(*this);
  // Callers may loop over progress; they would never learn of the failure otherwise.
  if (std::uncaught_exceptions() == 0) job().check();
  if (make_progress()) return true;
  // What a loop over progress waits for may take the others.
  home().charge(&profile::poll);
  schedule().yield();
  return false;
}

void rank_context::check_may_wait() const {
  for (int i = 0; i < home().lanes(); ++i) {
    if (home().lane_at(i).is_run_by(schedule().current())) {
      throw bad_argument("handlers, their tasks and completions must not wait");
    }
  }
}

bool rank_context::wait(base::function_ref<bool()> ready, deadline_ns deadline,
                        const wait_reason& reason) {
  const visit inside(*this);
  check_may_wait();
  if (ready()) return true;
  const picoseconds until = from_ns(deadline);
  for (;;) {
    const std::uint64_t notices = notices_;
    const bool any = make_progress();
    if (ready()) return true;
    job().check();
    if (any) continue;
    if (schedule().now() >= until) return false;
    if (has_arrivals() || home().has_lane_work()) continue;
    sleep(notices, until, reason);
    home().charge(&profile::completion);
  }
}

void rank_context::sleep(std::uint64_t notices, picoseconds until, const wait_reason& reason) {
  if (notices != notices_) return;
  waiting_ = true;
  reason_ = reason;
  sleeper_ = schedule().current();
  schedule().park(until);
  waiting_ = false;
}

void rank_context::linger(base::function_ref<bool()> ready, const wait_reason& reason) {
  lingering_ = true;
  while (!ready()) sleep(notices_, sim::never, reason);
  lingering_ = false;
}

void rank_context::notify() {
  ++notices_;
  if (waiting_) schedule().wake(sleeper_);
}

void rank_context::pause(backoff& state) {
  constexpr std::uint32_t patience = 1u << 20;
  constexpr std::uint32_t longest_shift = 20;  // 1 ms
  const visit inside(*this);
  check_may_wait();
  job().check();
  if (++state.attempts == patience) {
    throw deadlock(
        fmt::format("rank {}, context {}: {} tries of one retry loop came to nothing "
                    "(seed {})",
                    home().rank(), index(), patience, job().options().seed));
  }
  make_progress();
  if (const profile* const costs = job().costs()) {
    constexpr std::uint32_t longest_polls = 6;  // as a shift
    const picoseconds nap = std::max<picoseconds>(costs->poll, 1000);
    schedule().park(schedule().now() + (nap << std::min(state.attempts, longest_polls)));
  } else {
    const std::uint64_t longest = std::uint64_t{2} << std::min(state.attempts, longest_shift);
    schedule().park(schedule().now() + from_ns(1 + schedule().choose(longest)));
  }
  job().check();
}

void rank_context::compute(std::uint64_t duration_ns) {
  const visit inside(*this);
  check_may_wait();
  schedule().park(std::min(later(schedule().now(), from_ns(duration_ns)), sim::never - 1));
}

std::uint64_t rank_context::peek(address word) const {
  if (word.rank() != home().rank() || word.offset() % sizeof(std::uint64_t) != 0) {
    throw bad_argument("peek: wants an aligned word of 8 bytes of this rank's own segments");
  }
  home().check_bounds(word, sizeof(std::uint64_t));
  std::uint64_t value = 0;
  std::memcpy(&value, home().local(word), sizeof(value));
  return value;
}

}  // namespace far::fabric::sim
