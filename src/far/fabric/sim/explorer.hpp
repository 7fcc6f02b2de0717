#pragma once
// Any order that the contract allows: a driver chooses among the fibers that can go on and the
// events that can take place. Time is the number of steps taken, as nanoseconds, and jumps when
// there is nothing to do before the next timer.

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "far/fabric/sim/driver.hpp"
#include "far/fabric/sim/scheduler.hpp"

namespace far::fabric::sim {

class explorer final : public scheduler {
 public:
  explicit explorer(std::unique_ptr<driver> driver) : driver_(std::move(driver)) {}

  void charge(picoseconds) override {}
  [[nodiscard]] picoseconds now() const noexcept override { return from_ns(steps_); }
  void post(event what, picoseconds) override;
  using scheduler::post;
  void drop_events() override;
  [[nodiscard]] std::uint64_t choose(std::uint64_t n) override { return driver_->choose(n); }
  [[nodiscard]] bool chance(std::uint64_t parts) override { return driver_->chance(parts); }

 private:
  void set_runnable(fiber_id who) override { runnable_.push_back({who}); }
  void set_timer(fiber_id who) override { sleepers_.emplace(entry_of(who).until, who); }
  void clear_timer(fiber_id who) override { sleepers_.erase({entry_of(who).until, who}); }
  bool step() override;
  void wake_sleepers();

  std::unique_ptr<driver> driver_;
  std::uint64_t steps_ = 0;
  std::uint64_t posted_ = 0;
  std::vector<fiber_id> runnable_;
  std::vector<event> events_;
  std::vector<std::uint64_t> event_ids_;  // of events_
  std::set<std::pair<picoseconds, fiber_id>> sleepers_;
  bool dropping_ = false;
};

}  // namespace far::fabric::sim
