#pragma once
// The shared state of a simulated job: the scheduler, the first failure, the count of messages in
// flight, the requests that wait for replies.
//
// Single-threaded: fibers and events of one scheduler use it, one at a time.

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "far/fabric/crash_site.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/sim/explore/explorer.hpp"
#include "far/fabric/sim/memory.hpp"
#include "far/fabric/sim/network.hpp"
#include "far/fabric/sim/operation.hpp"
#include "far/fabric/sim/scheduler.hpp"
#include "far/fabric/sim/statistics.hpp"

namespace far::fabric::sim {

class rank_context;
class rank_fabric;

/// A request that was sent and whose reply has not arrived.
struct open_request {
  rank_context* issuer = nullptr;
  request* reply = nullptr;
  std::vector<landing> landings;
  std::uint32_t reply_bytes = 0;
  int target = 0;
  bool answered = false;  // the reply is in flight
};

class simulation {
 public:
  /// Errors: bad_argument, out_of_memory.
  explicit simulation(const job_options& options) : simulation(options, nullptr) {}
  /// `chooses` replaces the driver that the options name.
  simulation(const job_options& options, std::unique_ptr<driver> chooses);
  ~simulation();
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// Runs the body on all ranks; re-throws the first failure.
  void run(const rank_body& body);

  [[nodiscard]] const job_options& options() const noexcept { return options_; }
  [[nodiscard]] scheduler& schedule() noexcept { return *schedule_; }
  [[nodiscard]] int node_of(int rank) const noexcept {
    return nodes_[static_cast<std::size_t>(rank)];
  }
  /// "sim", or with a clock "sim/" and the name of the profile.
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  /// What operations cost, in a job with a clock; null where orders are explored.
  [[nodiscard]] const profile* costs() const noexcept {
    return network_ == nullptr ? nullptr : &network_->machine();
  }
  /// Null in a job with a clock.
  [[nodiscard]] explorer* exploring() noexcept { return exploring_; }
  /// Something more than a retry has happened, so there is no livelock.
  void progressed() noexcept {
    if (exploring_ != nullptr) exploring_->progressed();
  }
  /// Labels the event that is posted next, and names the steps that caused it (explorer::announce).
  void announce(const event_label& label, std::span<const step_number> causes = {}) {
    if (exploring_ != nullptr) exploring_->announce(label, causes);
  }
  /// Whether one of the rules in driver.hpp applies.
  [[nodiscard]] bool follows(std::uint64_t rule) const noexcept {
    return exploring_ != nullptr && exploring_->follows(rule);
  }
  /// Records that the current step touches this.
  void touches(touch::part what, touch::mode how, int rank = 0) const {
    if (exploring_ == nullptr) return;
    const auto first = static_cast<std::uint64_t>(rank);
    exploring_->touches({what, how, first, first + 1});
  }
  /// Adds the current step to `causes`, if the driver needs it.
  void note_step(std::vector<step_number>& causes) const {
    if (follows(waits_end_once)) causes.push_back(exploring_->current_step());
  }
  [[nodiscard]] network* net() noexcept { return network_.get(); }
  [[nodiscard]] distance between(int from, int to) const noexcept {
    return network_ == nullptr ? distance::node : network_->between(from, to);
  }
  [[nodiscard]] rank_fabric& rank(int rank) const noexcept {
    return *ranks_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(ranks_.size()); }

  // -- failure

  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
  /// Throws rank_failed if a rank has failed.
  void check() const;
  /// Ends the job: nothing more happens on the network, and every wait throws.
  void fail(int rank, std::exception_ptr why);
  /// Records that a thread of `rank` ended by an exception. Its rank calls take_failure when all
  /// its threads have ended; if they wait for the dead one forever, the exception is reported as
  /// the cause. Returns its number.
  std::uint32_t note_failure(int rank, std::exception_ptr why);
  void take_failure(std::uint32_t number) { noted_.erase(number); }

  /// Counts a call of the fabric by this rank, at which it may die.
  void count_call(int rank) {
    if (rank == options_.kill_rank) count_last_calls();
  }
  /// The rank has been killed; the others may not know yet. Its calls have no effect any more.
  [[nodiscard]] bool is_dead(int rank) const noexcept {
    return dead_ && rank == options_.kill_rank;
  }
  void check_alive(int rank) const {
    if (is_dead(rank)) throw_death();
  }

  // -- loops that poll a word

  /// Wakes this fiber when the word is written.
  void watch(address word, scheduler::fiber_id who) { watchers_.emplace_back(word.bits(), who); }
  void unwatch(scheduler::fiber_id who) {
    std::erase_if(watchers_, [who](const auto& one) { return one.second == who; });
  }
  void written(address first, std::uint64_t bytes) {
    for (const auto& [word, who] : watchers_) {
      if (word - first.bits() < bytes || first.bits() - word < sizeof(word)) schedule_->wake(who);
    }
  }

  // -- the network

  /// Sends `bytes` bytes at time `begin`: `arrived()` takes place when `to` has received them. If
  /// it has a member `op`, it is a step of that operation (scheduler::concerns).
  template <class Arrived>
  void carry(int from, int to, std::uint64_t bytes, picoseconds begin, Arrived arrived);
  /// The same for a bare acknowledgement, which does not occupy an interface.
  void acknowledge(int from, int to, picoseconds begin, event arrived);

  // -- messages in flight

  /// `alone`: maybe nothing else in flight, and no rank that has not arrived, keeps this round of
  /// quiesce from ending.
  void begin_traffic(bool alone = false) {
    if (alone) touches(touch::part::traffic, touch::mode::reads);
    ++traffic_;
  }
  void end_traffic();
  /// A rank enters quiesce. Returns the number of this round for is_quiet.
  std::uint64_t arrive();
  /// The same; completes `done` when the round ends.
  void arrive(rank_context& waiter, completion& done);
  [[nodiscard]] bool is_quiet(std::uint64_t round) const noexcept { return quiet_ >= round; }

  /// Numbers contexts, requests and noted failures; no number is used twice.
  [[nodiscard]] std::uint32_t next_serial() noexcept { return ++serial_; }

  /// Requests by serial, and the serials of those whose context was closed before the reply.
  std::map<std::uint32_t, open_request> requests;
  std::set<std::uint32_t> orphans;
  memory_map memory;
  operations records;
  statistics counts;

 private:
  template <class Arrived>
  void note_operation(const Arrived& arrived) {
    if constexpr (requires { *arrived.op; }) schedule_->concerns(*arrived.op);
  }

  struct noted_failure {
    int rank;
    std::exception_ptr why;
  };

  static crash_site locate_crash(const void* self, const void* address) noexcept;
  void run_rank(int rank, const rank_body& body);
  void stuck();
  void stalled(std::uint64_t steps);
  void count_last_calls();
  [[noreturn]] void throw_death() const;
  void report_death();
  [[nodiscard]] std::string describe_waits() const;
  void detect_quiet();

  job_options options_;
  std::string name_ = "sim";
  std::unique_ptr<network> network_;  // null: orders are explored
  std::unique_ptr<scheduler> schedule_;
  explorer* exploring_ = nullptr;  // schedule_, or null
  std::vector<int> nodes_;         // by rank
  std::vector<std::unique_ptr<rank_fabric>> ranks_;
  std::exception_ptr failure_;
  int failed_rank_ = -1;
  std::string failure_text_;
  std::map<std::uint32_t, noted_failure> noted_;
  std::uint64_t calls_ = 0;  // of the rank that is to die
  bool dead_ = false;
  bool death_reported_ = false;
  std::uint64_t traffic_ = 0;
  int arrived_ = 0;
  std::vector<std::pair<rank_context*, completion*>> waiters_;  // for the end of this round
  std::vector<step_number> quiet_causes_;  // steps that the end of this round depends on
  std::uint64_t quiet_ = 0;                // rounds of quiesce that have ended
  std::uint32_t serial_ = 0;
  std::vector<std::pair<std::uint64_t, scheduler::fiber_id>> watchers_;
};

// The state of an interface is read at the time of the transfer, because a fiber may be ahead of
// others of its node.
template <class Arrived>
void simulation::carry(int from, int to, std::uint64_t bytes, picoseconds begin, Arrived arrived) {
  if (network_ == nullptr) return schedule_->post(std::move(arrived));
  if (network_->between(from, to) <= distance::node) {
    note_operation(arrived);
    return schedule_->post(std::move(arrived), network_->arrival(from, to, bytes, begin));
  }
  auto set_out = [this, from, to, bytes, arrived = std::move(arrived)]() mutable {
    note_operation(arrived);
    auto take_in = [this, from, to, bytes, arrived = std::move(arrived)]() mutable {
      const picoseconds now = schedule_->now();
      const picoseconds in = network_->taken_in(from, to, bytes, now);
      if (in <= now) return arrived();
      note_operation(arrived);
      schedule_->post(std::move(arrived), in);
    };
    const picoseconds there = network_->arrival(from, to, bytes, schedule_->now());
    schedule_->post(std::move(take_in), there);
  };
  schedule_->post(std::move(set_out), begin);
}

}  // namespace far::fabric::sim
