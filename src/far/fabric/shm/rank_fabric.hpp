#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "far/fabric/copy.hpp"
#include "far/fabric/fabric.hpp"
#include "far/fabric/interrupt.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/shm/region.hpp"
#include "far/fabric/shm/static_data.hpp"
#include "far/fabric/shm/uplink.hpp"

namespace far::fabric::shm {

class lane;
class rank_context;

/// One rank of an shm job, which is a process or a thread.
class rank_fabric final : public fabric {
 public:
  /// `static_data`: shares those of the executable, also if the job's geometry does not say so.
  rank_fabric(region& job, int rank, bool static_data = false);
  ~rank_fabric() override;

  [[nodiscard]] std::string_view name() const noexcept override {
    return uplink_ == nullptr ? "shm" : uplink_->name();
  }
  [[nodiscard]] int node_of(int rank) const noexcept override { return job_->node_of(rank); }
  [[nodiscard]] int lanes() const noexcept override { return job_->shape().lanes; }
  [[nodiscard]] std::size_t max_payload() const noexcept override { return shm::max_payload; }
  [[nodiscard]] bool native(amo_op op, int bytes, amo_domain domain) const noexcept override;
  [[nodiscard]] bool cpu_atomics(address a) const noexcept override {
    return a.segment() != nic_segment || coherent();
  }
  [[nodiscard]] std::uint64_t extent(int rank, int segment) const noexcept override;
  void set_extent(int segment, std::uint64_t bytes) override;
  [[nodiscard]] std::shared_ptr<const void> keep_mapped() const override {
    return job_->keep_mapped();
  }
  [[nodiscard]] std::unique_ptr<context> open_context() override;
  [[nodiscard]] int max_contexts() const noexcept override { return job_->shape().contexts; }
  void run_threads(context& caller, int n, base::function_ref<void(int)> body) override;
  void start_service() override;
  void stop_service() override;
  void end_handlers() override;
  [[nodiscard]] std::uint64_t now() const noexcept override;
  void check_job() const override;
  void fail_job(const std::exception_ptr& why) noexcept override;
  void quiesce(context& caller) override;

  /// Checks that this rank is of the same build as the others, then waits until all have joined.
  void join();
  /// Ends the job. With an uplink, waits until no rank needs it any more.
  void leave();
  /// Equal on ranks that share static data of the same executable; 0: this rank shares none.
  [[nodiscard]] std::uint64_t static_fingerprint() const noexcept { return static_fingerprint_; }
  /// The number of this job among the mapping's jobs, from 1.
  [[nodiscard]] int job_number() const noexcept { return job_number_; }

  // For contexts, lanes and uplinks.
  /// Opens a context for joining and leaving, which does not let handlers run.
  [[nodiscard]] std::unique_ptr<context> open_quietly();
  /// Null if the job is one node.
  [[nodiscard]] shm::uplink* uplink() const noexcept { return uplink_.get(); }
  /// Whether `rank` shares this rank's mapping.
  [[nodiscard]] bool near(int rank) const noexcept {
    return window_table_[static_cast<std::size_t>(rank)] != nullptr;
  }
  [[nodiscard]] region& job() const noexcept { return *job_; }
  [[nodiscard]] rank_block& block(int rank) const noexcept { return job_->rank(rank); }
  /// block() of a near rank, with less arithmetic: the block lies before the rank's window.
  [[nodiscard]] rank_block& near_block(int rank) const noexcept {
    return *reinterpret_cast<rank_block*>(window_table_[static_cast<std::size_t>(rank)] -
                                          control_bytes);
  }
  /// Also after far::interrupt, by which this rank ends its part.
  [[nodiscard]] bool job_failed() const noexcept {
    return job_->header().failed.load(std::memory_order_seq_cst) != 0 || is_interrupted();
  }
  /// Whether each thread that uses libfar on this machine has a core, so that waits may spin
  /// (patience.hpp).
  [[nodiscard]] bool has_cores() const noexcept {
    return job_->load().users.load(std::memory_order_relaxed) <= cores_;
  }
  [[nodiscard]] std::vector<std::unique_ptr<lane>>& lane_list() noexcept { return lanes_; }
  [[nodiscard]] bool in_quiesce() const noexcept {
    return in_quiesce_.load(std::memory_order_relaxed);
  }
  /// `again`: the index may be reused.
  void close_context(const rank_context& closing, bool again) noexcept;
  /// A thread notifies a rank of another process, which notifies a sibling of that thread. Then
  /// what the thread did before happens before what the sibling does next. ThreadSanitizer sees
  /// only one process, so these calls show it this order. Otherwise they are no-ops.
  void before_telling(const rank_block& whom) noexcept {
    if constexpr (!under_thread_sanitizer) return;
    const auto process_of = [](const rank_block& one) {
      return one.pid.load(std::memory_order_relaxed);
    };
    if (process_of(whom) == process_of(block(rank()))) return;  // ThreadSanitizer sees this order
    told_.fetch_add(1, std::memory_order_release);
  }
  void after_hearing() const noexcept {
    if constexpr (under_thread_sanitizer) (void)told_.load(std::memory_order_acquire);
  }
  /// False until the body opens its first context, because `owner` may not be set before.
  [[nodiscard]] bool lanes_open() const noexcept {
    return lanes_open_.load(std::memory_order_acquire);
  }

 private:
  [[nodiscard]] std::unique_ptr<rank_context> open(bool for_service);
  void end_service();
  void count_cores();
  void share_static_data();
  void check_static_data() const;

  region* job_;
  int job_number_;
  std::uint64_t static_fingerprint_ =
      0;  // fingerprint of the static data that are shared; 0: none are
  std::optional<shm::static_data> statics_;
  std::vector<std::byte*> window_table_;
  int cores_ = 1;                    // for all threads of this machine that use libfar
  std::mutex mutex_;                 // of open_contexts_
  std::uint64_t open_contexts_ = 0;  // bit per index
  std::vector<std::unique_ptr<lane>> lanes_;
  std::atomic<bool> lanes_open_{false};
  std::unique_ptr<rank_context> service_context_;
  std::thread service_;
  int service_users_ = 0;  // who have started it, and have not stopped it
  std::atomic<bool> service_stops_{false};
  std::uint64_t quiesces_;  // over all jobs; for the rank's own thread
  std::atomic<bool> in_quiesce_{false};
  std::atomic<std::uint32_t> told_{0};
  std::unique_ptr<shm::uplink> uplink_;  // last: its thread uses the members above
};

/// Runs one rank from joining to leaving. Reports an exception of the body to the job and
/// re-throws it.
void run_rank(region& job, int rank, const rank_body& body);

/// Runs every rank of the job as a thread of this process. Re-throws the first failure.
void run_rank_threads(region& job, const rank_body& body);

}  // namespace far::fabric::shm
