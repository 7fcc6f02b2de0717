#include "far/fabric/sim/explore/trace.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/sim/explore/shrink.hpp"

namespace far::fabric::sim {
namespace {

TEST(trace_test, reads_what_it_writes) {
  const trace some{0, 0, 0, 1, 0, 17, 2, 0, 0};
  EXPECT_EQ(text_of(some), "+3.1.0.17.2");
  EXPECT_EQ(parse_trace(text_of(some)), trimmed(some));
  EXPECT_EQ(parse_trace("0.0.0.1.0.17.2.0.0"), some);
  EXPECT_EQ(text_of(trace{}), "");
  EXPECT_EQ(parse_trace(""), trace{});
  EXPECT_EQ(deviations_of(some), 3u);
}

TEST(trace_test, refuses_what_is_no_trace) {
  for (const char* text :
       {"x", "1..2", "1.", ".1", "+", "1,2", "-1", "+99999999999", "@/no/file"}) {
    EXPECT_THROW((void)parse_trace(text), bad_argument) << text;
  }
  try {
    (void)parse_trace("1.2.three.4");
    ADD_FAILURE() << "no exception";
  } catch (const bad_argument& error) {
    EXPECT_STREQ(error.what(), "a trace with 'three.4': want numbers such as +17.1.+4.3");
  }
}

TEST(trace_test, replays_and_goes_on_calmly) {
  replay_driver driver({2, 1, 9});
  const std::vector<std::uint64_t> events{5, 6};
  const std::vector<std::uint32_t> fibers{0};
  EXPECT_EQ(driver.next(events, fibers), 2u);
  EXPECT_TRUE(driver.chance(1, question::other));
  EXPECT_EQ(driver.choose(9, question::other), 0u);  // 9 is not below 9
  EXPECT_EQ(driver.next(events, fibers), 0u);
}

TEST(shrink_test, keeps_what_the_failure_needs) {
  trace long_one(1000);
  for (std::size_t i = 0; i < long_one.size(); ++i) long_one[i] = i % 5;
  const auto fails = [](const trace& t) {
    return t.size() > 501 && t[501] != 0 && t[38] > 1;  // 1 and 3 in long_one
  };
  ASSERT_TRUE(fails(long_one));
  const shrunk small = shrink(long_one, fails);
  EXPECT_TRUE(fails(small.decisions));
  EXPECT_EQ(small.decisions.size(), 502u);
  EXPECT_EQ(deviations_of(small.decisions), 2u);
  EXPECT_EQ(small.decisions[38], 2u);
  EXPECT_LT(small.runs, 200);
}

TEST(shrink_test, takes_no_more_runs_than_it_may) {
  int runs = 0;
  const trace start(300, 3);
  const shrunk small = shrink(
      start,
      [&](const trace& t) {
        ++runs;
        return deviations_of(t) > 40;
      },
      25);
  EXPECT_EQ(runs, 25);
  EXPECT_EQ(small.runs, 25);
  EXPECT_GT(deviations_of(small.decisions), 40u);
  EXPECT_LE(small.decisions.size(), start.size());
}

TEST(shrink_test, a_failure_of_the_calm_run_needs_no_trace) {
  const shrunk small = shrink(trace(100, 1), [](const trace&) { return true; });
  EXPECT_TRUE(small.decisions.empty());
  EXPECT_EQ(small.runs, 1);
}

}  // namespace
}  // namespace far::fabric::sim
