#pragma once
// Runs the ranks of a job as clients of one structure, and checks the history of their calls.

#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/team/barrier.hpp"
#include "far/world/world.hpp"
#include "test/linearizability/checker.hpp"
#include "test/support/jobs.hpp"
#include "test/support/seed.hpp"

namespace far::linearizability {

/// The modes whose ranks can share a history: threads and fibers.
inline std::vector<test::ranks> modes_with_one_history(const std::vector<int>& counts) {
  std::vector<test::ranks> modes = test::all_modes(counts);
  std::erase_if(modes, [](const test::ranks& r) {
    return r.mode == job_mode::processes || r.mode == job_mode::ucx;
  });
  return modes;
}

class clients_test : public test::on_ranks {
 protected:
  clients_test() { seeds = 50; }

  /// Fibers run once for each of many seeds, threads run once.
  [[nodiscard]] int rounds(int of_fibers, int of_threads) const {
    return options.mode == job_mode::fibers ? of_fibers : of_threads;
  }
};

/// Collective, in the body of a job. Calls `client(random numbers)` on each rank, which records its
/// calls in `log`. Their history must be linearizable. The random numbers differ between ranks and,
/// in a test with many seeds, between jobs.
template <specification S, class Client>
void expect_linearizable(const world& world, const S& spec, history_of<S>& log, Client client) {
  if (world.rank() == 0) log.clear();
  barrier(world);
  base::random numbers(base::mix(test::seed()) + static_cast<unsigned>(world.rank()));
  client(numbers);
  barrier(world);
  if (world.rank() == 0) {
    EXPECT_TRUE(is_linearizable(spec, log.calls()));
  }
}

}  // namespace far::linearizability
