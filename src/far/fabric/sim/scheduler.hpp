#pragma once
// Decides what happens next: some fiber goes on, or some event of the network takes place.
//
// Single-threaded. Every choice comes from one random generator, and no choice looks at an
// address or a hash, so a seed names a run. Time is the number of steps taken, in nanoseconds,
// and jumps when there is nothing to do before the next timer.

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "far/base/random.hpp"
#include "far/fabric/sim/events.hpp"
#include "far/fabric/sim/fiber.hpp"

namespace far::fabric::sim {

class scheduler {
 public:
  /// Names a fiber from spawn until it ends; then the number is used again.
  using fiber_id = std::uint32_t;
  static constexpr fiber_id nobody = ~fiber_id{0};
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  explicit scheduler(std::uint64_t seed);

  /// A fiber more; it starts when chance takes it. `body` must not throw.
  fiber_id spawn(std::function<void()> body);

  /// Runs until all fibers have ended. Calls `stuck` when nobody can go on and nothing is on its
  /// way; it must wake somebody.
  void run(const std::function<void()>& stuck);

  // -- for fibers

  [[nodiscard]] fiber_id current() const noexcept { return current_; }
  /// Lets something else happen first, perhaps.
  void yield();
  /// Sleeps until wake() or the point of time `until`.
  void park(std::uint64_t until);

  // -- for fibers and events

  /// A parked fiber may go on; one that is not parked does so anyway.
  void wake(fiber_id who);
  [[nodiscard]] event_pool& events() noexcept { return events_; }
  [[nodiscard]] std::uint64_t now() const noexcept { return now_; }
  /// True with a chance of `parts` in 16.
  [[nodiscard]] bool chance(std::uint64_t parts) { return random_.below(16) < parts; }
  /// The one source of chance.
  [[nodiscard]] base::random& random() noexcept { return random_; }

 private:
  struct entry {
    std::unique_ptr<fiber> body;  // null: the number is free
    bool parked = false;
    std::uint64_t until = never;  // while parked
  };

  bool step();
  void run_fiber(std::size_t place);
  void wake_sleepers();

  base::random random_;
  std::uint64_t event_share_;  // of 16 steps that could go either way, those given to events
  std::uint64_t now_ = 0;
  fiber_id current_ = nobody;
  std::vector<entry> fibers_;
  std::vector<fiber_id> free_ids_;
  std::vector<fiber_id> runnable_;
  std::set<std::pair<std::uint64_t, fiber_id>> sleepers_;  // parked ones with a time to wake
  event_pool events_;
};

}  // namespace far::fabric::sim
