#pragma once
// Jobs on a simulated machine, one for each measurement of a benchmark.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "apps/common/progress.hpp"
#include "far/far.hpp"

namespace far::bench {

/// Runs jobs and shows progress.
class simulated_jobs {
 public:
  /// `steps`: of jobs; 0 if it is not known.
  simulated_jobs(std::string label, std::string profile, std::size_t steps)
      : profile_(std::move(profile)), steps_(steps), bar_(std::move(label)) {}

  /// Runs collective code, which stores its results itself. `how` needs no mode and no profile.
  void run(const std::string& what, run_options how, const std::function<void(world&)>& body) {
    bar_.update(steps_ == 0 ? step_ : std::min(step_, steps_), steps_, what);
    ++step_;
    how.mode = job_mode::fibers;
    how.profile = profile_;
    far::run(how, body);
  }

  [[nodiscard]] const std::string& profile() const noexcept { return profile_; }

 private:
  std::string profile_;
  std::size_t steps_;
  std::size_t step_ = 0;
  apps::progress_bar bar_;
};

}  // namespace far::bench
