#pragma once
// The fibers of a simulation, and who goes on next. Two kinds decide that: clock.hpp in the order
// of virtual time, explorer.hpp by choices among all that the contract allows.
//
// Single-threaded. No decision looks at an address or a hash, so a seed names a run.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "far/fabric/sim/event.hpp"
#include "far/fabric/sim/explore/labels.hpp"
#include "far/fabric/sim/fiber.hpp"

namespace far::fabric::sim {

struct operation;

class scheduler {
 public:
  /// Names a fiber from spawn until it ends; then the number is used again.
  using fiber_id = std::uint32_t;
  static constexpr fiber_id nobody = ~fiber_id{0};

  virtual ~scheduler() = default;
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// A fiber more, which may start from now on. `body` must not throw.
  fiber_id spawn(std::function<void()> body);

  /// Runs until all fibers have ended. Calls `stuck` when nobody can go on and nothing is on its
  /// way; it must wake somebody.
  void run(const std::function<void()>& stuck);

  // -- for fibers

  [[nodiscard]] fiber_id current() const noexcept { return current_; }
  /// Lets others go first, if it is their turn.
  void yield();
  /// Sleeps until wake() or the point of time `until`.
  void park(picoseconds until);
  /// The current fiber's processor is busy for so long: what it starts next starts after that.
  virtual void charge(picoseconds duration) = 0;

  // -- for fibers and events

  /// A parked fiber may go on; one that is not parked does so anyway.
  void wake(fiber_id who);
  /// Has what a fiber will need first when it goes on brought into the processor's caches.
  void prefetch_fiber(fiber_id who) const noexcept;
  /// The time of the current fiber, or else of the current event.
  [[nodiscard]] virtual picoseconds now() const noexcept = 0;
  /// Has `what` take place at `when`, not before now(); the explorer chooses when.
  virtual void post(event what, picoseconds when) = 0;
  void post(event what) { post(std::move(what), now()); }
  /// The event that is posted next moves this operation on.
  virtual void concerns(const operation&) noexcept {}
  /// What is on its way is forgotten, and what is posted from now on: the job has failed, and
  /// buffers of its ranks go away.
  virtual void drop_events() = 0;

  // -- choices. 0 and false are what a calm machine would do, and what the clock always answers.

  /// Says what the next choice is about, for drivers that make a difference and for people:
  /// schedule.about(question::nap).choose(n).
  scheduler& about(question what) noexcept {
    about_ = what;
    return *this;
  }
  /// A number below n, which is not 0.
  [[nodiscard]] virtual std::uint64_t choose(std::uint64_t n) = 0;
  /// True with a chance of `parts` in 16.
  [[nodiscard]] virtual bool chance(std::uint64_t parts) = 0;

 protected:
  scheduler() = default;

  question about_ = question::other;

  struct entry {
    fiber::handle body;         // null: the number is free
    picoseconds clock = 0;      // what it has charged reaches to here
    picoseconds until = never;  // while parked
    std::uint32_t naps = 0;     // tells its times in park() apart
    bool parked = false;
    const void* frames = nullptr;  // the latest of its stack, while it does not run
  };

  [[nodiscard]] std::size_t fibers() const noexcept { return fibers_.size(); }
  [[nodiscard]] entry& entry_of(fiber_id who) noexcept { return fibers_[who]; }
  [[nodiscard]] const entry& entry_of(fiber_id who) const noexcept { return fibers_[who]; }
  /// Runs a fiber until it stops or ends.
  void run_fiber(fiber_id who);

  /// The fiber may run.
  virtual void set_runnable(fiber_id who) = 0;
  /// It has parked itself until entry_of(who).until, or is woken before that.
  virtual void set_timer(fiber_id who) = 0;
  virtual void clear_timer(fiber_id who) = 0;
  /// Does one thing. False when there is none.
  virtual bool step() = 0;

 private:
  fiber_id current_ = nobody;
  void suspend(entry& mine);

  std::vector<entry> fibers_;
  std::vector<fiber_id> free_ids_;
};

}  // namespace far::fabric::sim
