#pragma once
// Many ranks of one machine use a structure at the same time, in virtual time, which is exact: so a
// test may say how fast they are.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "far/far.hpp"

namespace far::test {

/// What all ranks have done together.
struct pace {
  double per_us = 0;            ///< operations of all ranks
  double longest_in_means = 0;  ///< the longest operation of any rank, in means of all
};

/// One rank's part of a load. A workload makes a structure, which is collective, and calls run.
class load {
 public:
  load(far::world& world, int rounds, pace& result)
      : world_(&world), rounds_(rounds), result_(&result) {}

  [[nodiscard]] far::world& world() const noexcept { return *world_; }
  [[nodiscard]] int rounds() const noexcept { return rounds_; }

  /// Collective: each rank calls operation(i) for each of its rounds, after a few to begin with.
  /// Each counts as `parts` operations, such as the transfers to all ranks.
  template <class Operation>
  void run(Operation operation, int parts = 1) const {
    const int warm = rounds_ / 4;
    for (int i = 0; i < warm; ++i) operation(i);
    barrier(*world_);
    const std::uint64_t begin = world_->now();
    std::uint64_t longest = 0;
    std::uint64_t sum = 0;
    for (int i = warm; i < warm + rounds_; ++i) {
      const std::uint64_t at = world_->now();
      operation(i);
      const std::uint64_t took = world_->now() - at;
      longest = std::max(longest, took);
      sum += took;
    }
    const std::uint64_t all = allreduce(*world_, world_->now() - begin, maximum{});
    longest = allreduce(*world_, longest, maximum{});
    sum = allreduce(*world_, sum);
    const double operations = static_cast<double>(rounds_) * world_->size();
    if (world_->rank() != 0) return;
    result_->per_us =
        operations * parts * 1000 / static_cast<double>(std::max<std::uint64_t>(all, 1));
    result_->longest_in_means = static_cast<double>(longest) * operations /
                                static_cast<double>(std::max<std::uint64_t>(sum, 1));
  }

 private:
  struct maximum {
    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return std::max(a, b); }
  };

  far::world* world_;
  int rounds_;
  pace* result_;
};

using workload = std::function<void(const load&)>;

inline pace pace_of(int ranks, const workload& what, int rounds = 40,
                    const std::string& machine = "xeon-16") {
  pace result;
  far::run({.ranks = ranks, .mode = job_mode::fibers, .profile = machine},
           [&](world& world) { what(load(world, rounds, result)); });
  return result;
}

/// At 16 and at 64 ranks all together are at least half as fast as 4, and no rank waits for more
/// than 20 times the mean.
inline void expect_scales(const std::string& name, const workload& what) {
  constexpr double share = 0.5;
  constexpr double longest = 20;
  const pace few = pace_of(4, what);
  for (const int ranks : {16, 64}) {
    const pace many = pace_of(ranks, what);
    EXPECT_GE(many.per_us, share * few.per_us) << name << ", " << ranks << " ranks, M/s";
    EXPECT_LE(many.longest_in_means, longest) << name << ", " << ranks << " ranks";
  }
}

}  // namespace far::test
