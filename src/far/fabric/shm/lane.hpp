#pragma once
// A lane: one of a rank's message queues, whose handlers run one at a time.
//
// Any context of the rank may run it: the first that sets `busy_`. All other members belong to
// this holder, except what has_work() reads. A message that arrives while the holder leaves is
// seen by the next progress of any context, and by the last check of a context before it sleeps.

#include <atomic>
#include <deque>

#include "far/fabric/shm/rank_context.hpp"

namespace far::fabric::shm {

/// The context that handlers and tasks use. It never waits: it copies and queues a message for
/// which there is no credit, and sends it when the lane next runs.
class lane_context final : public rank_context {
 public:
  lane_context(rank_fabric& home, int lane) : rank_context(home, max_contexts + lane) {}

  [[nodiscard]] int lane_index() const noexcept override { return index() - max_contexts; }

  bool try_send(const send_request& message) override;

  /// Runs all tasks, including those that they defer. True if there were any.
  bool run_tasks();
  /// Sends queued messages, in order, while there is credit. True if it sent any.
  bool send_queued();
  /// Whether messages wait for credit. Any thread may call it.
  [[nodiscard]] bool has_queued() const noexcept {
    return queued_count_.load(std::memory_order_relaxed) != 0;
  }
  using rank_context::count_handled;

 protected:
  void defer(int lane_index, task work) override;

 private:
  struct queued_send {
    send_request message;  // its spans point into the two copies
    std::vector<std::byte> bytes;
    std::vector<landing> landings;
  };

  std::deque<task> tasks_;
  std::deque<queued_send> queued_;
  std::atomic<std::size_t> queued_count_{0};
};

class lane {
 public:
  lane(rank_fabric& home, int index);

  /// Runs pending work, unless another context is running the lane. True if it did anything.
  bool poll() {
    if (!has_work() || busy_.exchange(true, std::memory_order_acquire)) return false;
    const bool did = run();
    busy_.store(false, std::memory_order_release);
    return did;
  }

  [[nodiscard]] bool has_work() const noexcept {
    return requests_.ready() || forwards_.ready() || context_.has_replies() ||
           context_.has_queued() || context_.has_ended();
  }

 private:
  /// What a handler or a task throws, fails the job: whoever waits learns of it there.
  bool run() noexcept;
  bool run_all();
  void handle(const record_header& header, payload behind);
  void fail(const char* where) noexcept;
  bool run_front(ring_consumer& ring, message_class kind);

  rank_fabric* home_;
  int index_;
  std::atomic<bool> busy_{false};
  ring_consumer requests_;
  ring_consumer forwards_;
  lane_context context_;
  std::array<std::byte, max_record_bytes> scratch_;
};

}  // namespace far::fabric::shm
