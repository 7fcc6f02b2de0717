#pragma once
// Explores any order that the contract allows: a driver chooses among the fibers that can continue
// and the events that can take place. Time is the number of steps taken, in nanoseconds; it jumps
// to the next timer when nothing else can happen.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "far/fabric/sim/explore/driver.hpp"
#include "far/fabric/sim/explore/log.hpp"
#include "far/fabric/sim/scheduler.hpp"

namespace far::fabric::sim {

class explorer final : public scheduler {
 public:
  /// Steps are numbered from 0. What happens before the first step has the number below 0.
  using step_number = std::uint32_t;

  /// `log` keeps the decisions; it may be null. Calls `stalled` after `patience` steps in which
  /// only futile retries happened.
  explorer(std::unique_ptr<driver> driver, std::unique_ptr<explorer_log> log,
           std::uint64_t patience, std::function<void(std::uint64_t)> stalled);

  void charge(picoseconds) override {}
  [[nodiscard]] picoseconds now() const noexcept override { return from_ns(steps_); }
  void post(event what, picoseconds) override;
  using scheduler::post;
  void drop_events() override;
  [[nodiscard]] std::uint64_t choose(std::uint64_t n) override;
  [[nodiscard]] bool chance(std::uint64_t parts) override;

  // -- hints. They have an effect only if the driver uses them.

  /// Labels the event that is posted next. `causes`: the steps that it depends on, all of them;
  /// none: the current step.
  void announce(const event_label& label, std::span<const step_number> causes = {}) {
    next_label_ = label;
    next_causes_.assign(causes.begin(), causes.end());
  }
  /// A sleeping fiber, or the current one that is about to yield, may continue because of these
  /// steps.
  void woken(fiber_id who, std::span<const step_number> causes = {});
  /// The current step only checks a wait, and finds nothing.
  void empty_poll() {
    if (listens_) driver_->empty_poll();
  }
  /// The number of the current step.
  [[nodiscard]] step_number current_step() const noexcept { return next_step_ - 1; }
  /// Names the rank that a fiber works for; `part` is for messages: "", "thread 3", "service".
  void name_fiber(fiber_id who, int rank, std::string part = {});
  /// The current step touches this, besides what its label or its rank imply.
  void touches(const touch& what) {
    if (listens_) driver_->touched(what);
  }

  // -- livelock

  /// Something more than a retry has happened.
  void progressed() noexcept { quiet_steps_ = 0; }
  /// Until the matching end call, some fiber waits for time to pass, so there is no livelock.
  void begin_waiting_for_time() noexcept { ++waiting_for_time_; }
  void end_waiting_for_time() noexcept {
    --waiting_for_time_;
    progressed();
  }

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] bool follows(std::uint64_t rule) const noexcept { return (rules_ & rule) != 0; }
  [[nodiscard]] explorer_log* log() noexcept { return log_.get(); }

 private:
  struct fiber_name {
    int rank = -1;
    std::string part;
  };

  void set_runnable(fiber_id who) override { runnable_.push_back({who}); }
  void set_timer(fiber_id who) override { sleepers_.emplace(entry_of(who).until, who); }
  void clear_timer(fiber_id who) override { sleepers_.erase({entry_of(who).until, who}); }
  bool step() override;
  void wake_sleepers();
  void run_event(std::size_t place);
  void run_runnable(std::size_t place);
  void touch_label(const event_label& label);
  void touch_rank(int rank);
  [[nodiscard]] std::string name_of(fiber_id who) const;
  void report_step(std::size_t choice);
  void send_answer(question asked, std::uint64_t answer);

  std::unique_ptr<driver> driver_;
  std::unique_ptr<explorer_log> log_;
  bool listens_;
  std::uint64_t rules_;
  std::uint64_t patience_;
  std::function<void(std::uint64_t)> stalled_;
  std::uint64_t quiet_steps_ = 0;
  int waiting_for_time_ = 0;
  std::uint64_t steps_ = 0;  // also the time
  std::uint64_t taken_ = 0;  // steps without jumps, for messages
  std::uint64_t posted_ = 0;
  std::vector<fiber_id> runnable_;
  std::vector<event> events_;
  std::vector<std::uint64_t> event_ids_;  // of events_
  std::vector<event_label> labels_;       // of events_
  event_label next_label_;
  std::vector<step_number> next_causes_;
  step_number next_step_ = 0;
  std::vector<fiber_name> names_;  // by fiber
  std::set<std::pair<picoseconds, fiber_id>> sleepers_;
  std::map<fiber_id, picoseconds> due_;  // woken before this time; time jumps there when they run
  bool dropping_ = false;
};

}  // namespace far::fabric::sim
