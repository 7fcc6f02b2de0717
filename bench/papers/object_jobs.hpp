#pragma once
// Programs of shared objects on a simulated cluster, one job for each measurement (oo-dsm-rdma).

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "far/far.hpp"

namespace far::bench {

/// Runs jobs of one rank a machine, and shows progress.
class object_jobs {
 public:
  object_jobs(std::string profile, std::size_t steps)
      : profile_(std::move(profile)), steps_(steps), bar_("paper-e") {}

  void run_on(int machines, const std::string& what, const std::function<void(world&)>& body) {
    bar_.update(std::min(step_++, steps_), steps_, fmt::format("{}, {} machines", what, machines));
    run_options how;
    how.ranks = machines;
    how.mode = job_mode::fibers;
    how.profile = profile_;
    how.ranks_per_node = 1;
    run(how, body);
  }

 private:
  std::string profile_;
  std::size_t steps_;
  std::size_t step_ = 0;
  apps::progress_bar bar_;
};

}  // namespace far::bench
