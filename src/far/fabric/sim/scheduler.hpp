#pragma once
// The fibers of a simulation, and which of them runs next. There are two schedulers: clock.hpp
// follows the order of virtual time, explorer.hpp chooses among all orders that the contract
// allows.
//
// Single-threaded. No decision depends on an address or a hash, so a seed determines the run.

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
  /// Identifies a fiber from spawn until it ends; then the number is reused.
  using fiber_id = std::uint32_t;
  static constexpr fiber_id no_rank = ~fiber_id{0};

  virtual ~scheduler() = default;
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Creates a fiber of a rank, which may start at once. `body` must not throw.
  fiber_id spawn(std::function<void()> body, int rank);
  /// Of fibers that are spawned from now on.
  void set_stack_bytes(std::size_t bytes) noexcept { stack_bytes_ = bytes; }

  /// Runs until all fibers have ended. Calls `stuck` when no fiber can continue and no event is
  /// pending; `stuck` must wake a fiber.
  void run(const std::function<void()>& stuck);

  // -- for fibers

  [[nodiscard]] fiber_id current() const noexcept { return current_; }
  /// The rank of the current fiber, or -1.
  [[nodiscard]] int current_rank() const noexcept {
    return current_ == no_rank ? -1 : fibers_[current_].rank;
  }
  /// Of the current fiber; null: none.
  [[nodiscard]] const fiber* current_body() const noexcept {
    return current_ == no_rank ? nullptr : fibers_[current_].body.get();
  }
  /// Lets others run first, if it is their turn.
  void yield();
  /// Sleeps until wake() or the time `until`.
  void park(picoseconds until);
  /// The current fiber's processor is busy for `duration`: what the fiber starts next starts later.
  virtual void charge(picoseconds duration) = 0;

  // -- for fibers and events

  /// Lets a parked fiber continue. No-op for one that is not parked.
  void wake(fiber_id who);
  /// Prefetches what a fiber needs first when it continues.
  void prefetch_fiber(fiber_id who) const noexcept;
  /// The time of the current fiber, or else of the current event.
  [[nodiscard]] virtual picoseconds now() const noexcept = 0;
  /// Lets `what` take place at `when`, which is not before now(); the explorer ignores `when`.
  virtual void post(event what, picoseconds when) = 0;
  void post(event what) { post(std::move(what), now()); }
  /// The next posted event is a step of this operation.
  virtual void concerns(const operation&) noexcept {}
  /// Drops pending events, and those posted from now on: the job has failed, and buffers of its
  /// ranks go away.
  virtual void drop_events() = 0;

  // -- choices. 0 and false are the calm answers, which the clock always gives.

  /// Labels the next choice, for drivers that distinguish choices and for the story:
  /// schedule.about(question::nap).choose(n).
  scheduler& about(question what) noexcept {
    about_ = what;
    return *this;
  }
  /// Returns a number below n, which is not 0.
  [[nodiscard]] virtual std::uint64_t choose(std::uint64_t n) = 0;
  /// Returns true with a probability of `parts` in 16.
  [[nodiscard]] virtual bool chance(std::uint64_t parts) = 0;

 protected:
  scheduler() = default;

  question about_ = question::other;

  struct entry {
    fiber::handle body;         // null: the number is free
    picoseconds clock = 0;      // the fiber's own time, including its charges
    picoseconds until = never;  // while parked
    std::uint32_t naps = 0;     // counts calls of park(), so that old timers are ignored
    bool parked = false;
    int rank = -1;
    const void* frames = nullptr;  // the latest frame of its stack, while it does not run
  };

  [[nodiscard]] std::size_t fibers() const noexcept { return fibers_.size(); }
  [[nodiscard]] entry& entry_of(fiber_id who) noexcept { return fibers_[who]; }
  [[nodiscard]] const entry& entry_of(fiber_id who) const noexcept { return fibers_[who]; }
  /// Runs a fiber until it stops or ends.
  void run_fiber(fiber_id who);

  /// The fiber may run.
  virtual void set_runnable(fiber_id who) = 0;
  /// The fiber has parked until entry_of(who).until, unless it is woken before.
  virtual void set_timer(fiber_id who) = 0;
  virtual void clear_timer(fiber_id who) = 0;
  /// Runs one event or fiber. Returns false if there is none.
  virtual bool step() = 0;

 private:
  fiber_id current_ = no_rank;
  void suspend(entry& mine);

  std::vector<entry> fibers_;
  std::vector<fiber_id> free_ids_;
  std::size_t stack_bytes_ = fiber::default_stack;
};

}  // namespace far::fabric::sim
