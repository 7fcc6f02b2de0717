#pragma once
// A lane is one of a rank's queues of messages and tasks. They run one at a time, in whichever
// context of the rank makes progress.

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {

class lane;

/// A message in flight.
struct envelope {
  int source = 0;
  int source_context = 0;
  std::uint32_t source_serial = 0;  // the serial of that context
  handler_index handler = 0;
  message_class kind = message_class::request;
  std::vector<std::byte> payload;
  reply_token token;
  std::vector<step_number> brought_by = {};
};

/// The context of handlers and tasks. It never waits: messages without credit are queued.
class lane_context final : public rank_context {
 public:
  lane_context(rank_fabric& home, lane& lane, int index);

  [[nodiscard]] int lane_index() const noexcept override;

  bool try_send(const send_request& message) override;
  void credit_back(int rank, message_class kind) override;
  void notify(std::span<const step_number> causes) override;

 protected:
  void defer(int lane_index, task work) override;
  void check_start(bool small) const override;
  void traffic_begins() override;
  void traffic_ends() override;

 private:
  struct queued_message {
    envelope message;
    int lane;
  };

  lane* lane_;
  std::map<std::pair<int, message_class>, std::deque<queued_message>> queued_;
};

class lane {
 public:
  lane(rank_fabric& home, int index);

  [[nodiscard]] int index() const noexcept { return index_; }

  /// Enqueues a message that has arrived.
  void deliver(envelope message);
  void add_task(task work);
  [[nodiscard]] bool is_idle() const noexcept {
    return runner_ != scheduler::no_rank ||
           (messages_.empty() && tasks_.empty() && !context_.has_arrivals());
  }
  /// The step that brought the next message, if the lane has nothing else to run; else empty.
  [[nodiscard]] std::span<const step_number> cause() const noexcept {
    const bool only = !messages_.empty() && tasks_.empty() && !context_.has_arrivals();
    return only ? messages_.front().brought_by : std::span<const step_number>();
  }
  [[nodiscard]] std::size_t messages() const noexcept { return messages_.size(); }
  [[nodiscard]] bool is_run_by(scheduler::fiber_id fiber) const noexcept {
    return runner_ != scheduler::no_rank && runner_ == fiber;
  }
  /// Runs the completions that have arrived and one message or task, unless another fiber is
  /// running the lane. Returns true if it did anything.
  bool run();

  // For the lane's context: the state of the current handler or task.

  [[nodiscard]] bool in_handler() const noexcept { return in_handler_; }
  [[nodiscard]] bool only_replies() const noexcept { return only_replies_; }

 private:
  struct deferred {
    task work;
    bool only_replies;  // as the handler that deferred it
  };

  void run_next();
  void run_message();
  void run_task();

  rank_fabric* home_;
  int index_;
  queue<envelope> messages_;
  queue<deferred> tasks_;
  scheduler::fiber_id runner_ = scheduler::no_rank;
  bool in_handler_ = false;
  bool only_replies_ = false;  // a forward that expects a reply
  lane_context context_;
};

}  // namespace far::fabric::sim
