// The chooser on machines of known costs: what it chooses, and how much it loses by trials.

#include "far/model/chooser.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/random.hpp"

namespace far::model {
namespace {

constexpr way_costs equal{1000, 1000};

/// The total cost of n operations; machine(i) returns the costs of both ways of operation i.
template <class Machine>
double total(chooser& chooses, int n, Machine machine, const way_costs& expected = equal) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const choice chosen = chooses.choose(0, 0, expected);
    const way_costs costs = machine(i);
    const double ns = chosen.how == way::call ? costs.call : costs.one_sided;
    chooses.observe(chosen, ns);
    sum += ns;
  }
  return sum;
}

TEST(chooser_test, the_cheaper_way_is_chosen) {
  for (const way_costs costs : {way_costs{2000, 3000}, way_costs{3000, 2000}}) {
    const double best = std::min(costs.one_sided, costs.call);
    for (const way_costs expected : {equal, way_costs{100, 9000}, way_costs{9000, 100}}) {
      chooser chooses(1, 1);
      const double seen = total(
          chooses, 20'000, [&](int) { return costs; }, expected);
      EXPECT_LT(seen, 20'000 * best * 1.03);
      const choice_counts counts = chooses.counted();
      EXPECT_EQ(counts.one_sided + counts.calls, 20'000u);
      EXPECT_GT(counts.explored, 10u);
    }
  }
}

TEST(chooser_test, a_small_gain_changes_nothing) {
  chooser chooses(1, 1);
  const auto machine = [](int i) { return i % 2000 < 1000 ? way_costs{1000, 1040} : equal; };
  (void)total(chooses, 20'000, machine, {1000, 1010});
  EXPECT_EQ(chooses.counted().switched, 0u);
}

// However bad the other way is, the cost of trying it stays within its share.
TEST(chooser_test, trying_costs_little) {
  for (const double bad : {1500., 10'000., 500'000., 50'000'000.}) {
    chooser chooses(1, 1);
    (void)total(chooses, 10, [&](int) { return way_costs{1000, bad}; }, {1000, bad});
    const double seen = total(chooses, 100'000, [&](int) { return way_costs{1000, bad}; });
    EXPECT_LT(seen, 100'000 * 1000.0 * 1.03 + bad) << bad;
  }
}

TEST(chooser_test, what_has_become_better_is_found) {
  base::random random(11);
  // In every other phase, calls wait up to 500 us for a target that computes.
  const auto machine = [&](int i) {
    const bool computes = i / 50'000 % 2 == 1;
    const double waits = computes ? static_cast<double>(random.below(500'000)) : 0;
    return way_costs{4000, 2000 + waits};
  };
  chooser chooses(1, 1);
  const double seen = total(chooses, 400'000, machine);
  EXPECT_LT(seen, 400'000 * 3000 * 1.1);  // 3000: the better way of each phase
  EXPECT_GE(chooses.counted().switched, 7u);
}

// All ranks compute, because they run the same program; then all stop.
TEST(chooser_test, calls_are_tried_when_a_rank_does_less_itself) {
  chooser chooses(1, 1);
  const auto computes = [](int i) { return i / 2000 % 2 == 0 ? 64'000 : 0; };
  int late = 0;
  for (int i = 0; i < 20'000; ++i) {
    const choice chosen = chooses.choose(0, 0, equal, computes(i));
    const bool by_call = chosen.how == way::call;
    chooses.observe(chosen, by_call ? 5000 + computes(i) / 2 : 6000);
    if (computes(i) == 0 && i % 2000 > 40 && !by_call) ++late;
  }
  EXPECT_LT(late, 200);  // of 9800; most of them are trials of the other way
  EXPECT_LT(chooses.counted().explored, 400u);
}

// Some operations follow a long computation, most follow at once; calls are never better.
TEST(chooser_test, what_a_rank_does_between_varies) {
  chooser chooses(1, 1);
  base::random random(3);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double apart = random.below(10) == 0 ? 100'000 : 0;
    const choice chosen = chooses.choose(0, 0, equal, apart);
    const double ns = chosen.how == way::call ? 20'000 : 6000;
    chooses.observe(chosen, ns);
    sum += ns;
  }
  EXPECT_LT(sum, 100'000 * 6000.0 * 1.03);
}

TEST(chooser_test, one_slow_operation_is_no_change) {
  chooser chooses(1, 1);
  const auto machine = [](int i) {
    return way_costs{1000, i % 500 == 250 ? 5'000'000.0 : 800.0};  // once descheduled
  };
  (void)total(chooses, 100'000, machine);
  EXPECT_GT(chooses.counted().calls, 90'000u);
}

// There are many targets, each called too rarely to learn from its own calls. All change at the
// same time, except for one that is always slow.
TEST(chooser_test, targets_are_known_by_each_other) {
  constexpr std::uint32_t targets = 64;
  chooser chooses(1, 1);
  base::random random(5);
  std::uint64_t late = 0;
  std::uint64_t to_the_slow_one = 0;
  for (int i = 0; i < 16'000; ++i) {
    const bool all_are_slow = i / 4000 % 2 == 1;
    const auto target = static_cast<std::uint32_t>(random.below(targets));
    const choice chosen = chooses.choose(0, target, equal);
    const double call = (all_are_slow ? 1600 : 600) * (target == 7 ? 4 : 1);
    chooses.observe(chosen, chosen.how == way::call ? call : 1000);
    if (i % 4000 < 250) continue;  // the targets have just changed
    if (target != 7) late += (chosen.how == way::call) == all_are_slow ? 1 : 0;
    if (target == 7) to_the_slow_one += chosen.how == way::call ? 1 : 0;
  }
  EXPECT_LT(late, 15'000u / 25);
  EXPECT_LT(to_the_slow_one, 15'000 / targets / 5);
}

// Without kinds, the estimate is the mean of the call itself, which already includes its share. The
// share must not be applied again.
TEST(chooser_test, calls_without_kinds_are_known_by_themselves) {
  chooser chooses(1, 0);
  for (int i = 0; i < 400; ++i) {
    const std::uint32_t call = static_cast<std::uint32_t>(i) % 2;
    const double known = chooses.call(call).mean();
    const choice chosen = chooses.choose(0, call, {1000, 900});
    if (i >= 2 && chosen.how == way::call) {
      EXPECT_DOUBLE_EQ(chosen.expected_ns, known) << i;
    }
    const double dearer = 400 + 2 * i;
    chooses.observe(chosen, chosen.how == way::one_sided ? 1000 : call == 0 ? dearer : 100);
  }
  EXPECT_DOUBLE_EQ(chooses.call(1).mean(), 100);
}

TEST(chooser_test, entries_are_apart) {
  chooser chooses(2, 1);
  for (int i = 0; i < 1000; ++i) {
    for (std::uint32_t from = 0; from < 2; ++from) {
      for (std::uint32_t to = 0; to < 2; ++to) {
        const choice chosen = chooses.choose(from, to, equal);
        const double one_sided = from == 0 ? 1000 : 4000;
        const double call = to == 0 ? 2000 : 3000;
        chooses.observe(chosen, chosen.how == way::call ? call : one_sided);
      }
    }
  }
  EXPECT_DOUBLE_EQ(chooses.one_sided(1).mean(), 4000);
  EXPECT_DOUBLE_EQ(chooses.call(0).mean(), 2000);
  // Entry 0 is best one-sided, entry 1 by calls.
  const choice_counts counts = chooses.counted();
  EXPECT_NEAR(static_cast<double>(counts.calls), 2000, 100);
}

}  // namespace
}  // namespace far::model
