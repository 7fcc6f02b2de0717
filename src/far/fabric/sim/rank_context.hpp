#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "far/fabric/context.hpp"
#include "far/fabric/sim/queue.hpp"
#include "far/fabric/sim/rank_fabric.hpp"

namespace far::fabric {

struct rest;

namespace sim {

struct envelope;
struct pending_flush;

/// A context of a simulated rank. Operations are split into events that take place later, in a
/// random order or by the clock (rank_rma.cpp, rank_timed.cpp); so are messages
/// (rank_messages.cpp). rank_wait.cpp has waiting.
///
/// Used by one fiber at a time: a second one inside any call gets bad_argument.
class rank_context : public context {
 public:
  rank_context(rank_fabric& home, int index);
  /// Uses the space that the rank keeps for its first context.
  static void* operator new(std::size_t bytes, rank_fabric& home) {
    return home.allocate_context(bytes);
  }
  static void operator delete(void* room, rank_fabric&) { ::operator delete(room); }
  static void operator delete(void* room) { ::operator delete(room); }
  /// Waits until the operations of this context have taken place. Does not wait during unwinding,
  /// or if the job has failed, because then they never take place.
  ~rank_context() override;

  void put(std::span<const put_part> parts, completion* done, completion* source,
           const signal* after) override;
  void get(std::span<const get_part> parts, completion* done) override;
  void amo(const amo_request& request, completion* done) override;
  void flush(int rank, completion* done) override;
  using context::flush;

  bool try_send(const send_request& message) override;
  void reply(const reply_token& token, payload inline_bytes, std::span<const gather> data) override;

  bool progress() override;
  bool wait(base::function_ref<bool()> ready, deadline_ns deadline,
            const wait_reason& reason) override;
  void wait(completion& done, const wait_reason& reason) override;
  void pause(backoff& state) override;
  void await_turn(turn& state) override;
  void compute(std::uint64_t duration_ns) override;
  void charge(std::uint64_t duration_ps) override;
  [[nodiscard]] std::uint64_t peek(address word) const override;

  // For events, and for the rank.

  /// Distinguishes successive contexts with the same index.
  [[nodiscard]] std::uint32_t serial() const noexcept { return serial_; }
  /// An operation has taken place.
  void finished(operation& op);
  /// Delivers a completion, or the reply to a request. `causes`: as for explorer::announce.
  void arrived(completion& done, std::span<const step_number> causes = {});
  /// `lands_only`: the reply has no bytes of its own, and its data have landed.
  void arrived(request& answered, std::vector<std::byte> inline_bytes, bool lands_only);
  /// A message of this class to this rank has been handled.
  virtual void credit_back(int rank, message_class kind);
  /// Makes the context check its wait condition again.
  virtual void notify(std::span<const step_number> causes = {});
  /// Whether it waits for something that does not depend on words.
  [[nodiscard]] bool awaits_completion() const noexcept {
    return awaited_ != nullptr || (lingering_ && job().follows(waits_end_once));
  }
  [[nodiscard]] bool is_waiting() const noexcept { return waiting_; }
  /// Whether it waits for memory that may change in ways that wake nobody.
  [[nodiscard]] bool watches_memory() const noexcept { return watches_memory_; }
  [[nodiscard]] const wait_reason& reason() const noexcept { return reason_; }
  /// How often it has repeated the same operations, between pauses, and the word of the last one.
  [[nodiscard]] std::uint64_t tries() const noexcept { return tries_; }
  [[nodiscard]] address tried_word() const noexcept { return tried_word_; }
  [[nodiscard]] bool has_arrivals() const noexcept { return !inbox_.empty(); }
  /// Runs the completions that have arrived. Returns true if there were any.
  bool run_inbox();
  /// Prefetches what the fiber that waits here needs to continue.
  void prefetch_waiter(const scheduler& schedule) const noexcept;
  static constexpr std::size_t often_used = 320;  // bytes, from the start of a context
  /// Waits without progress and without exceptions, also in a failed job.
  void linger(base::function_ref<bool()> ready, const wait_reason& reason);

 protected:
  void defer(int lane_index, task work) override;
  /// Refuses what the class of the running handler does not allow. `small`: the operation is a
  /// signal or a non-fetching amo.
  virtual void check_start([[maybe_unused]] bool small) const {}
  virtual void traffic_begins() {}
  virtual void traffic_ends() {}

  void check_message(const send_request& message) const;
  bool take_credit(int rank, message_class kind);
  envelope pack(const send_request& message);
  void launch(envelope message, int rank, int lane);
  [[nodiscard]] rank_fabric& home() const noexcept { return *home_; }
  [[nodiscard]] simulation& job() const noexcept { return home_->job(); }
  [[nodiscard]] scheduler& schedule() const noexcept { return job().schedule(); }

  /// Every public call constructs one. It records the fiber inside, and may let other fibers run
  /// first.
  class memory_watch;
  class visit {
   public:
    explicit visit(rank_context& place, bool gives_way = true);
    ~visit() { place_->user_ = before_; }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;

   private:
    rank_context* place_;
    scheduler::fiber_id before_;
  };

 private:
  /// A completion, or the reply to a request, until progress handles it.
  struct arrival {
    completion* done = nullptr;
    request* answered = nullptr;
    std::vector<std::byte> inline_bytes;
    std::vector<step_number> causes;
    bool lands_only = false;

    /// Only the fiber that waits for it notices it.
    [[nodiscard]] bool is_silent() const noexcept {
      return answered == nullptr && done->on_done == nullptr;
    }
  };

  /// What a loop of reads has seen last.
  struct poll {
    address word;
    std::uint64_t value = 0;
    std::uint32_t times = 0;  // since then
    picoseconds since = 0;
  };

  struct finished_operation {
    int target;
    bool is_loose;
    std::vector<step_number> steps;
  };

  void check_amo(const amo_request& request, const completion* done) const;
  void add_write(operation& op, const put_part& part, bool read_now);
  [[nodiscard]] operation& prepare(operation_kind kind, int target, completion* done);
  void start(operation& op);
  void start_timed(operation& op);
  void do_inside(operation& op, distance apart);
  void sleep_over_polls(const operation& op);
  void note_poll(const operation& op);
  void start_explored(operation& op);
  bool make_progress();
  void check_may_wait() const;
  void check_alive();
  void check_job();
  void forget_operations() noexcept;
  void touch_own(touch::part what) const;
  void tried(const operation& op);
  void tried_again();
  void begin_rest(std::uint32_t looks);
  void take(const profile& costs, const rest& next);
  void take_any(std::uint64_t longest);
  void sleep(std::uint64_t notices, picoseconds until, const wait_reason& reason);
  bool wait_for_arrivals(base::function_ref<bool()> ready, deadline_ns deadline,
                         const wait_reason& reason);
  bool report_arrivals();
  [[nodiscard]] std::vector<step_number> causes_of_awaited() const;
  [[nodiscard]] std::vector<step_number> finishing_steps(std::optional<int> flushed = std::nullopt);
  void flushed(pending_flush& flush);

  rank_fabric* home_;
  std::uint32_t serial_;
  scheduler::fiber_id user_ = scheduler::no_rank;  // the fiber inside a call
  operation* in_flight_ = nullptr;                 // the first of a list
  short_queue<arrival> inbox_;
  std::uint64_t notices_ = 0;  // calls of notify(), so that sleep() misses none
  scheduler::fiber_id sleeper_ = scheduler::no_rank;
  bool waiting_ = false;
  bool watches_memory_ = false;  // during a wait with wait_reason::plain_memory
  bool lingering_ = false;
  const completion* awaited_ = nullptr;  // under waits_end_once: the completion that ends the wait
  wait_reason reason_;
  std::map<std::pair<int, message_class>, int> credits_used_;
  mutable step_number look_ = ~step_number{0};  // the last step that began with a check of a wait
  mutable bool acted_ = false;                // under verbs_alone: the current step has made a call
  std::vector<finished_operation> finished_;  // under waits_end_once: since the last flush
  std::vector<std::shared_ptr<pending_flush>> of_all_;  // those that await other contexts, too
  std::map<std::pair<int, message_class>, int> sent_;
  bool lacks_credit_ = false;
  std::uint64_t tries_ = 0;
  std::uint64_t round_ = 0;  // hash of the operations started since the last pause
  std::uint64_t last_round_ = 0;
  std::uint64_t round_calls_ = 0;
  std::uint64_t last_round_calls_ = 0;
  address tried_word_;
  poll polled_;
  std::uint64_t rests_ = 0;  // so far, for random ones
};

}  // namespace sim
}  // namespace far::fabric
