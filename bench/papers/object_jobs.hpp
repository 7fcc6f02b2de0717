#pragma once
// Programs of shared objects on a simulated cluster, one job for each measurement (oo-dsm-rdma).

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bench/papers/simulated_jobs.hpp"

namespace far::bench {

/// Jobs of one rank a machine.
class object_jobs : public simulated_jobs {
 public:
  object_jobs(std::string profile, std::size_t steps)
      : simulated_jobs("paper-e", std::move(profile), steps) {}

  void run_on(int machines, const std::string& what, const std::function<void(world&)>& body) {
    run_options how;
    how.ranks = machines;
    how.ranks_per_node = 1;
    run(fmt::format("{}, {} machines", what, machines), how, body);
  }
};

}  // namespace far::bench
