#pragma once
// Transfers on a simulated machine, one job for each measurement (armci-host-assisted).

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "bench/papers/simulated_jobs.hpp"

namespace far::bench {

/// Who runs on the machine. The paper's nodes have two processors.
struct transfer_place {
  int ranks = 2;
  int ranks_per_node = 1;
  /// A thread of each rank that serves other ranks (the paper's helper). Without it a rank makes
  /// progress in its calls only, as MPI did.
  bool service = true;
};

class transfer_jobs : public simulated_jobs {
 public:
  transfer_jobs(std::string profile, std::size_t steps)
      : simulated_jobs("paper-d", std::move(profile), steps) {}

  void run_on(const transfer_place& at, const std::string& what,
              const std::function<void(world&)>& body) {
    run_options how;
    how.ranks = at.ranks;
    how.ranks_per_node = at.ranks_per_node;
    how.service = at.service;
    run(what, how, body);
  }
};

}  // namespace far::bench
