#pragma once
// What the tests of far::aggregator share: an oracle of calls.

#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/rpc/aggregator.hpp"

namespace far::test {

/// Attached to a rank: how often each call, which has a number of its own, ran there.
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
  options.under_way_bytes = 800;
  return options;
}

/// The ranks that a rank calls at random, from its seed alone; the numbers of its calls tell whose
/// they are.
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

/// Every call of every rank to this one has run here once, and nothing else has.
inline void expect_each_once(const world& view, int calls, int targets) {
  std::map<std::uint64_t, int> expected;
  for (int source = 0; source < view.size(); ++source) {
    random_calls theirs(source, view.size(), targets);
    for (int i = 0; i < calls; ++i) {
      const auto call = theirs.next();
      if (call.target == view.rank()) expected[call.number] = 1;
    }
  }
  EXPECT_EQ(view.state().get<arrivals>().times, expected);
}

}  // namespace far::test
