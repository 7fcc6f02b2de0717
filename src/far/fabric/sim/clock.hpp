#pragma once
// The order of virtual time: the earliest event or fiber goes next; among those due at the same
// time, the one that was added first.
//
// A fiber may run ahead of the clock: charge() advances only the fiber's own time, and what it
// posts is in the future of all others. It stops at park() or yield(), and continues when the clock
// has reached its time. So a charge needs no fiber switch.

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

  /// The time that the clock has reached: at the end, the virtual time of the whole job.
  [[nodiscard]] picoseconds time() const noexcept { return now_; }

 private:
  // Values of `nap` in a calendar entry: is_event for an event, no_timer for a runnable fiber.
  // Other values belong to the timer of a parked fiber.
  static constexpr std::uint32_t is_event = ~std::uint32_t{0};
  static constexpr std::uint32_t no_timer = ~std::uint32_t{1};

  void set_runnable(fiber_id who) override;
  void set_timer(fiber_id who) override;
  void clear_timer(fiber_id) override {}  // its nap is over, so step() skips the entry
  bool step() override;
  void look_ahead();
  // With fewer fibers, the caches hold everything that an event touches.
  static constexpr std::size_t many = 256;

  /// Has a cache line of its own.
  struct alignas(64) place {
    event what;
  };

  picoseconds now_ = 0;
  calendar due_;  // indices of events_, and fibers
  std::vector<place> events_;
  std::vector<const operation*> moved_;  // the operation that each of events_ moves on, or null
  const operation* next_moved_ = nullptr;
  std::vector<std::uint32_t> free_places_;
  bool dropping_ = false;
};

}  // namespace far::fabric::sim
