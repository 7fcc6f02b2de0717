#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "far/fabric/fabric.hpp"
#include "far/fabric/sim/memory.hpp"
#include "far/fabric/sim/prefetch.hpp"
#include "far/fabric/sim/simulation.hpp"

namespace far::fabric::sim {

class lane;
class rank_context;

/// One simulated rank. direct() is null for every rank, including itself, so that all accesses to
/// shared memory are verbs, which the simulator sees.
class rank_fabric final : public fabric {
 public:
  rank_fabric(simulation& job, int rank);
  /// Must be called first, once all ranks exist.
  void add_lanes();
  ~rank_fabric() override;

  [[nodiscard]] std::string_view name() const noexcept override { return job_->name(); }
  [[nodiscard]] int node_of(int rank) const noexcept override;
  [[nodiscard]] int lanes() const noexcept override { return job_->options().lanes; }
  [[nodiscard]] std::size_t max_payload() const noexcept override;
  [[nodiscard]] bool native(amo_op, int, amo_domain) const noexcept override { return true; }
  [[nodiscard]] bool cpu_atomics(address) const noexcept override { return false; }
  [[nodiscard]] int descriptor_segments() const noexcept override;
  [[nodiscard]] std::uint64_t extent(int rank, int segment) const noexcept override;
  void set_extent(int segment, std::uint64_t bytes) override;
  [[nodiscard]] std::shared_ptr<const void> keep_mapped() const override {
    return window_.keep_mapped();
  }
  [[nodiscard]] std::unique_ptr<context> open_context() override;
  /// Allocates memory for a context, which owns it. The first context gets memory next to the
  /// rank's: a step of the clock finds little of a rank in the caches, and is faster if the rank's
  /// state is on few pages.
  [[nodiscard]] void* allocate_context(std::size_t bytes);
  [[nodiscard]] int max_contexts() const noexcept override { return job_->options().max_contexts; }
  void run_threads(context& caller, int n, base::function_ref<void(int)> body) override;
  void start_service() override;
  void stop_service() override;
  /// Ends the service thread, also if objects that have started it outlive the job.
  void end_handlers() override {
    service_users_ = std::min(service_users_, 1);
    stop_service();
  }
  [[nodiscard]] std::uint64_t now() const noexcept override {
    return job_->schedule().now() / 1000;
  }
  [[nodiscard]] clock_kind clock() const noexcept override {
    return job_->costs() != nullptr ? clock_kind::modelled : clock_kind::none;
  }
  [[nodiscard]] std::uint64_t work_cost_ps(std::string_view figure) const noexcept override;
  [[nodiscard]] bool reports_deadlock() const noexcept override { return true; }
  void check_job() const override {
    if (job_->failed() || job_->is_dead(rank())) note_failure();
    job_->check_alive(rank());
    job_->check();
  }
  void fail_job(const std::exception_ptr& why) noexcept override { job_->fail(rank(), why); }
  void quiesce(context& caller) override;

  // For contexts, lanes and events.

  /// Charge the current fiber, by the clock, for starting an operation on a rank at this distance,
  /// for running a handler, or any other figure.
  void charge_start(picoseconds start_costs::*what, distance apart) const;
  void charge_handler();
  void charge(picoseconds profile::*what) const;
  /// For work of the library's own code, which a service thread shares its processor for.
  void charge_work(picoseconds duration) const;
  /// For posting what the interface scatters or gathers in so many pieces.
  void charge_descriptors(std::size_t pieces) const;
  /// A thread of this rank begins (+1) or ends (-1) to compute.
  void computes(int change) noexcept { computing_ += change; }
  /// The current fiber has been asleep since then, unless its own time is still the same: what woke
  /// it came while it was busy.
  void slept(picoseconds since) noexcept;

  [[nodiscard]] simulation& job() const noexcept { return *job_; }
  /// Prefetches what operations use of the rank.
  void prefetch() const noexcept {
    sim::prefetch(this, 1);  // the pointer to its virtual functions
    sim::prefetch(&job_, sizeof(*this) - sizeof(fabric));
  }
  /// Memory of any rank.
  [[nodiscard]] std::byte* memory(address a) const noexcept { return job_->memory.at(a); }
  /// By index: the open contexts, those of the lanes, then the open contexts that are more than
  /// max_contexts; null: not open.
  [[nodiscard]] std::vector<rank_context*>& contexts() noexcept { return contexts_; }
  [[nodiscard]] lane& lane_at(int index) noexcept {
    return *lanes_[static_cast<std::size_t>(index)];
  }
  /// Whether any lane may have something to run, or is running. Lanes maintain this count, so that
  /// ranks without messages need not check their lanes.
  [[nodiscard]] bool has_lane_work() const noexcept { return lane_work_ > 0; }
  void add_lane_work(int difference) noexcept { lane_work_ += difference; }
  /// Whether no lane has anything that this fiber could run.
  [[nodiscard]] bool lanes_idle() const noexcept;
  /// Runs some of the lanes' work. Returns true if there was any.
  bool run_lanes();
  /// Calls use(context) for each open context of a thread, not for those of the lanes.
  template <class Use>
  void for_each_context(Use use) {
    const auto lanes_begin = static_cast<std::size_t>(max_contexts());
    const std::size_t lanes_end = lanes_begin + lanes_.size();
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      if (contexts_[i] != nullptr && (i < lanes_begin || i >= lanes_end)) use(*contexts_[i]);
    }
  }
  /// Notifies all open contexts.
  void notify_all();
  /// A word of this rank has changed, in a way that wakes.
  void word_changed();
  /// Some memory of this rank has changed, in a way that wakes only those that watch it.
  void memory_changed() {
    if (watchers_ > 0) wake_watchers();
  }
  /// A context begins (+1) or ends (-1) to watch memory.
  void add_watcher(int change) noexcept { watchers_ += change; }
  /// Lanes have work: wakes one waiting context for it.
  void notify_one();
  [[nodiscard]] bool in_quiesce() const noexcept { return quiescing_ > 0; }
  [[nodiscard]] bool has_waiter() const noexcept;
  /// Appends a line for each context that waits, and for each lane whose messages no fiber runs.
  void describe_waiting(std::string& text) const;

 private:
  [[nodiscard]] bool is_service() const noexcept;
  void wake_watchers();

  simulation* job_;
  int lane_work_ = 0;  // messages, tasks, and operations in flight of the lanes' contexts
  int watchers_ = 0;   // contexts that watch memory
  window window_;
  struct free_memory {
    void operator()(void* room) const noexcept { ::operator delete(room); }
  };
  std::unique_ptr<void, free_memory> room_;
  std::vector<rank_context*> contexts_;
  std::vector<std::unique_ptr<lane>> lanes_;
  std::unique_ptr<context> service_;
  int service_users_ = 0;  // who have started it, and have not stopped it
  scheduler::fiber_id service_fiber_ = scheduler::no_rank;
  bool service_stops_ = false;
  bool service_ended_ = true;
  bool service_sleeps_ = true;  // or has slept, and run no handler since then
  int quiescing_ = 0;           // contexts in quiesce
  int computing_ = 0;           // threads that compute
};

}  // namespace far::fabric::sim
