#pragma once
// Jobs of fibers in which a rank dies, at each call of the fabric in turn.

#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/world/run.hpp"
#include "far/world/world.hpp"

namespace far::test {

/// Whatever call of the fabric is the last of a rank, the others do not wait for it forever: they
/// get rank_failed, which names it. `body` uses something until the job fails; `after` is called
/// when all have left.
inline void expect_death_is_told(
    const std::function<void(const world&)>& body, const std::function<void()>& after = [] {},
    std::uint64_t calls = 120) {
  for (std::uint64_t last_call = 1; last_call <= calls; ++last_call) {
    run_options options;
    options.mode = job_mode::fibers;
    options.ranks = 3;
    options.seed = last_call;
    options.kill_rank = 1;
    options.kill_at = last_call;
    SCOPED_TRACE(last_call);
    try {
      far::run(options, body);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const rank_failed& failure) {
      EXPECT_EQ(failure.rank(), 1);
    } catch (const out_of_bounds&) {
      // The memory of a rank that has left is gone.
    }
    after();
  }
}

}  // namespace far::test
