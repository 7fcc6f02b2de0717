#pragma once
// What the tests of far::aggregator share: a record of calls and their expected values.

#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/rpc/aggregator.hpp"

namespace far::test {

/// Attached to a rank: how often each call, identified by its number, ran there.
struct arrivals {
  explicit arrivals(rank_state&) {}
  std::map<std::uint64_t, int> times;
};

struct note_arrival {
  void operator()(rank_state& state, std::uint64_t call) const {
    ++state.get<arrivals>().times[call];
  }
};

/// Limits that even few calls reach.
inline aggregator_options small_limits() {
  aggregator_options options;
  options.buffer_bytes = 192;
  options.message_bytes = 64;
  options.max_in_flight_bytes = 800;
  return options;
}

/// The ranks that a rank calls at random, determined by its seed; a call's number identifies its
/// source.
class random_calls {
 public:
  random_calls(int source, int ranks, int targets)
      : random_(static_cast<std::uint64_t>(source) + 1),
        source_(source),
        ranks_(ranks),
        targets_(targets) {}

  struct call {
    int target;
    std::uint64_t number;
  };
  call next() {
    const auto step = static_cast<int>(random_.below(static_cast<std::uint64_t>(targets_)));
    return {(source_ + step) % ranks_, static_cast<std::uint64_t>(source_) << 32 | made_++};
  }

 private:
  base::random random_;
  int source_;
  int ranks_;
  int targets_;
  std::uint64_t made_ = 0;
};

/// Checks that every call of every rank to this one has run here once, and no others.
inline void expect_each_once(const world& world, int calls, int targets) {
  std::map<std::uint64_t, int> expected;
  for (int source = 0; source < world.size(); ++source) {
    random_calls theirs(source, world.size(), targets);
    for (int i = 0; i < calls; ++i) {
      const auto call = theirs.next();
      if (call.target == world.rank()) expected[call.number] = 1;
    }
  }
  EXPECT_EQ(world.state().get<arrivals>().times, expected);
}

}  // namespace far::test
