#pragma once
// The order of virtual time: whatever is due next happens next, and of two things due at the same
// time the one that was announced first.
//
// A fiber may run ahead of the clock: what it charges moves its own time only, and what it posts
// lies in the future of all others. It stops at park() or yield(), and goes on when the clock has
// reached its time. So a charge costs no change of fibers.

#include <vector>

#include "far/fabric/sim/scheduler.hpp"

namespace far::fabric::sim {

class clock final : public scheduler {
 public:
  void charge(picoseconds duration) override;
  [[nodiscard]] picoseconds now() const noexcept override;
  void post(event what, picoseconds when) override;
  using scheduler::post;
  void drop_events() override;
  [[nodiscard]] std::uint64_t choose(std::uint64_t) override { return 0; }
  [[nodiscard]] bool chance(std::uint64_t) override { return false; }

  /// How far the clock got: the virtual time the job took.
  [[nodiscard]] picoseconds time() const noexcept { return now_; }

 private:
  /// An event, or a fiber that may go on.
  struct due {
    picoseconds when;
    std::uint64_t order;  // of announcing
    std::uint32_t what;   // place in events_, or fiber
    std::uint32_t nap;    // of the fiber, if a timer; else not_a_timer
    bool is_event;

    [[nodiscard]] bool before(const due& other) const noexcept {
      return when != other.when ? when < other.when : order < other.order;
    }
  };
  static constexpr std::uint32_t not_a_timer = ~std::uint32_t{0};

  void set_runnable(fiber_id who) override;
  void set_timer(fiber_id who) override;
  void clear_timer(fiber_id) override {}  // its nap is over: the entry is passed over when due
  bool step() override;
  void add(due next);
  [[nodiscard]] bool empty() const noexcept { return line_begin_ == line_.size() && heap_.empty(); }
  due take();
  due take_from_heap();

  picoseconds now_ = 0;
  std::uint64_t order_ = 0;
  // Those of the current moment wait in line, all others in a heap of four children each, whose
  // earliest is at the front. Most wake-ups are for now.
  std::vector<due> line_;
  std::size_t line_begin_ = 0;
  std::vector<due> heap_;
  std::vector<event> events_;  // by place
  std::vector<std::uint32_t> free_places_;
  bool dropping_ = false;
};

}  // namespace far::fabric::sim
