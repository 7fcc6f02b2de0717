#pragma once
// Transfers on a simulated machine, one job for each measurement (armci-host-assisted).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "apps/common/progress.hpp"
#include "far/far.hpp"

namespace far::bench {

/// Who runs on the machine. The paper's nodes have two processors.
struct transfer_place {
  int ranks = 2;
  int ranks_per_node = 1;
  /// A thread of each rank that serves other ranks (the paper's helper). Without it a rank makes
  /// progress in its calls only, as MPI did.
  bool service = true;
};

/// Runs jobs and shows progress.
class transfer_jobs {
 public:
  transfer_jobs(std::string profile, std::size_t steps)
      : profile_(std::move(profile)), steps_(steps), bar_("paper-d") {}

  void run_on(const transfer_place& at, const std::string& what,
              const std::function<void(world&)>& body) {
    bar_.update(std::min(step_++, steps_), steps_, what);
    run_options how;
    how.ranks = at.ranks;
    how.mode = job_mode::fibers;
    how.profile = profile_;
    how.ranks_per_node = at.ranks_per_node;
    how.service = at.service;
    run(how, body);
  }

  [[nodiscard]] const std::string& profile() const noexcept { return profile_; }

 private:
  std::string profile_;
  std::size_t steps_;
  std::size_t step_ = 0;
  apps::progress_bar bar_;
};

}  // namespace far::bench
