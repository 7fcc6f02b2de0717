// Whether the waits of a job's ranks may spin, by where the ranks may run.

#include <sched.h>

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/cores.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/shm/rank_fabric.hpp"

namespace far::fabric::shm {
namespace {

std::vector<std::size_t> allowed_processors() {
  cpu_set_t allowed;
  EXPECT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) result.push_back(i);
  }
  return result;
}

/// Restricts the calling thread, and those that it starts, while it exists.
class bound_to {
 public:
  explicit bound_to(std::size_t processor) {
    sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  }
  ~bound_to() { sched_setaffinity(0, sizeof(before_), &before_); }
  bound_to(const bound_to&) = delete;
  bound_to& operator=(const bound_to&) = delete;

 private:
  cpu_set_t before_{};
};

/// Whether waits of any of the ranks may spin while all of them use libfar.
bool may_spin(int ranks) {
  job_options options;
  options.ranks = ranks;
  std::atomic<int> spinning{0};
  run_job(options, [&](fabric& rank) {
    const auto context = rank.open_context();
    rank.quiesce(*context);  // all contexts are open
    spinning += dynamic_cast<rank_fabric&>(rank).has_cores() ? 1 : 0;
    rank.quiesce(*context);
  });
  EXPECT_TRUE(spinning == 0 || spinning == ranks);
  return spinning > 0;
}

TEST(RankCores, RanksOnOneCoreDoNotSpin) {
  const bound_to one(allowed_processors().front());
  EXPECT_TRUE(may_spin(1));
  EXPECT_FALSE(may_spin(2));
}

TEST(RankCores, AsManyRanksAsUsableCoresSpin) {
  const int cores =
      base::usable_cores(static_cast<int>(allowed_processors().size()), base::processor_quota());
  EXPECT_TRUE(may_spin(cores));
  EXPECT_FALSE(may_spin(cores + 1));
}

// The ranks of a job are bound one by one, so a rank's own mask is no measure.
TEST(RankCores, TheProcessorsOfAllRanksCount) {
  const std::vector<std::size_t> processors = allowed_processors();
  region job = region::create(geometry_of({}));
  int expected = 0;
  for (const std::size_t processor : processors) {
    const bound_to one(processor);
    const rank_fabric rank(job, 0);
    job.load().users = ++expected;
    EXPECT_EQ(rank.has_cores(), expected <= base::usable_cores(expected, base::processor_quota()));
    job.load().users = expected + 1;
    EXPECT_FALSE(rank.has_cores());
  }
}

// As where each rank of a machine has a mapping of its own.
TEST(RankCores, MappingsOfAMachineShareTheirLoad) {
  const region first = region::create(geometry_of({}));
  region second = region::create(geometry_of({}));
  second.share_load(first);
  first.load().users = 1000000;
  const rank_fabric rank(second, 0);
  EXPECT_FALSE(rank.has_cores());
  first.load().users = 1;
  EXPECT_TRUE(rank.has_cores());
}

}  // namespace
}  // namespace far::fabric::shm
