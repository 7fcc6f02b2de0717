#pragma once

#include <atomic>

#include "far/base/error.hpp"
#include "far/fabric/interrupt.hpp"

namespace far {

/// Exists while this process is in a job, and keeps it from joining another.
class only_job {
 public:
  /// Errors: bad_argument if this process is in a job.
  only_job() {
    if (taken_.exchange(true)) {
      throw bad_argument(
          "this process is in a job already: end that far::job, or return from far::run, before "
          "the next");
    }
  }
  ~only_job() { taken_.store(false); }
  only_job(const only_job&) = delete;
  only_job& operator=(const only_job&) = delete;

  [[nodiscard]] static bool exists() noexcept { return taken_.load(); }

 private:
  static inline std::atomic<bool> taken_{false};

  fabric::interruptible_job interruptible_;
};

}  // namespace far
