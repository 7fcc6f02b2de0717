#pragma once
// The order of virtual time: whatever is due next happens next, and of two things due at the same
// time the one that was announced first.
//
// A fiber may run ahead of the clock: what it charges moves its own time only, and what it posts
// lies in the future of all others. It stops at park() or yield(), and goes on when the clock has
// reached its time. So a charge costs no change of fibers.

#include <vector>

#include "far/fabric/sim/calendar.hpp"
#include "far/fabric/sim/scheduler.hpp"

namespace far::fabric::sim {

class clock final : public scheduler {
 public:
  void charge(picoseconds duration) override;
  [[nodiscard]] picoseconds now() const noexcept override;
  void post(event what, picoseconds when) override;
  using scheduler::post;
  void concerns(const operation& moved) noexcept override { next_moved_ = &moved; }
  void drop_events() override;
  [[nodiscard]] std::uint64_t choose(std::uint64_t) override { return 0; }
  [[nodiscard]] bool chance(std::uint64_t) override { return false; }

  /// How far the clock got: the virtual time the job took.
  [[nodiscard]] picoseconds time() const noexcept { return now_; }

 private:
  // What an entry of the calendar is: nap of an event; of a fiber that may go on, unless it is its
  // timer.
  static constexpr std::uint32_t is_event = ~std::uint32_t{0};
  static constexpr std::uint32_t no_timer = ~std::uint32_t{1};

  void set_runnable(fiber_id who) override;
  void set_timer(fiber_id who) override;
  void clear_timer(fiber_id) override {}  // its nap is over: the entry is passed over when due
  bool step() override;
  void look_ahead();
  // Of fewer fibers the caches hold all that an event touches.
  static constexpr std::size_t many = 256;

  /// A line of the processor's caches each.
  struct alignas(64) place {
    event what;
  };

  picoseconds now_ = 0;
  calendar due_;  // places in events_, and fibers
  std::vector<place> events_;
  std::vector<const operation*> moved_;  // by which of events_; null: something else
  const operation* next_moved_ = nullptr;
  std::vector<std::uint32_t> free_places_;
  bool dropping_ = false;
};

}  // namespace far::fabric::sim
