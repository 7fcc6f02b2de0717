#pragma once
// One rank's membership in a job, from joining to leaving. It is the same for a launched process,
// a forked process and a thread.

#include <exception>
#include <optional>
#include <utility>

#include "far/fabric/job.hpp"
#include "far/fabric/shm/rank_fabric.hpp"
#include "far/fabric/shm/rank_signals.hpp"

namespace far::fabric::shm {

/// Belongs to the thread that runs the rank. It reports its exceptions to the job before it throws.
class member final : public membership {
 public:
  /// Joins: waits until every rank of the job has joined.
  member(region& job, int rank, bool static_data = false);
  ~member() override;

  [[nodiscard]] rank_fabric& own() noexcept override { return *fabric_; }
  void leave() override;
  void fail(const std::exception_ptr& why) noexcept override;

 private:
  region* job_;
  int rank_;
  bool left_ = false;
  std::optional<rank_fabric> fabric_;
};

/// The membership of a process: the mapping, optional signal handlers, and the rank.
class process_member : public membership {
 public:
  process_member(region job, int rank, bool handles_signals, bool static_data = false)
      : job_(std::move(job)) {
    if (handles_signals) {
      signals_.emplace(job_, rank);
    } else {
      known_.emplace(job_, rank);
    }
    in_.emplace(job_, rank, static_data);
  }

  [[nodiscard]] fabric& own() noexcept override { return in_->own(); }
  void leave() override { in_->leave(); }
  void fail(const std::exception_ptr& why) noexcept override { in_->fail(why); }

  [[nodiscard]] const region& job() const noexcept { return job_; }

 private:
  region job_;
  std::optional<rank_signals> signals_;
  std::optional<process_ranks> known_;  // without them
  std::optional<member> in_;
};

}  // namespace far::fabric::shm
