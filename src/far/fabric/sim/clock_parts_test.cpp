// The parts of the clock: the calendar is compared with a sorted list, busy_words with a map.

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/fabric/sim/busy_words.hpp"
#include "far/fabric/sim/calendar.hpp"

namespace far::fabric::sim {
namespace {

TEST(calendar, takes_the_earliest_and_of_one_time_the_first_added) {
  base::random random(7);
  calendar tested;
  std::map<std::pair<picoseconds, std::uint32_t>, std::uint32_t> reference;  // time and order: nap
  picoseconds now = 0;
  std::uint32_t order = 0;
  for (int i = 0; i < 200'000; ++i) {
    // Grow and shrink in turn, also until empty.
    const bool grows = random.below(8) < (i % 4096 < 2048 ? 5u : 3u);
    if (grows || reference.empty()) {
      const picoseconds ahead = random() >> random.below(64);
      const picoseconds when = random.below(3) == 0 ? now : later(now, ahead >> 16);
      const auto nap = static_cast<std::uint32_t>(random());
      tested.add({when, order, nap});
      reference[{when, order++}] = nap;
    } else {
      const calendar::entry next = tested.take();
      const auto expected = reference.begin();
      ASSERT_EQ(next.when, expected->first.first);
      ASSERT_EQ(next.what, expected->first.second);
      ASSERT_EQ(next.nap, expected->second);
      now = next.when;
      reference.erase(expected);
    }
    ASSERT_EQ(tested.empty(), reference.empty());
  }
}

TEST(calendar, keeps_the_end_of_time) {
  calendar tested;
  tested.add({never, 0, 0});
  tested.add({never - 1, 1, 0});
  tested.add({never, 2, 0});
  EXPECT_EQ(tested.take().what, 1u);
  EXPECT_EQ(tested.take().what, 0u);
  EXPECT_EQ(tested.take().what, 2u);
  EXPECT_TRUE(tested.empty());
}

TEST(calendar, what_is_late_is_due_at_once) {
  calendar tested;
  tested.add({100, 0, 0});
  EXPECT_EQ(tested.take().what, 0u);
  tested.add({101, 1, 0});
  tested.add({50, 2, 0});
  EXPECT_EQ(tested.take().what, 2u);
  EXPECT_EQ(tested.take().what, 1u);
}

// A few entries lie far apart; then many are added between them, and more while they are taken.
TEST(calendar, takes_what_comes_between) {
  base::random random(9);
  calendar tested;
  std::multimap<picoseconds, std::uint32_t> reference;  // equal times: in insertion order
  std::uint32_t order = 0;
  const auto add = [&](picoseconds when) {
    tested.add({when, order, 0});
    reference.emplace(when, order++);
  };
  constexpr picoseconds far_apart = picoseconds{1} << 40;
  for (picoseconds i = 1; i <= 10; ++i) add(i * far_apart / 16);
  for (int taken = 0; !reference.empty(); ++taken) {
    const auto expected = reference.begin();
    if (const calendar::entry* const soon = tested.coming(0); soon != nullptr) {
      EXPECT_GE(soon->when, expected->first);
    }
    const calendar::entry next = tested.take();
    ASSERT_EQ(next.when, expected->first);
    ASSERT_EQ(next.what, expected->second);
    reference.erase(expected);
    for (int i = 0; taken < 3000 && i < (taken == 0 ? 2000 : 1); ++i) {
      add(next.when + random.below(far_apart >> random.below(40)));
    }
  }
  EXPECT_TRUE(tested.empty());
}

TEST(calendar, foresees_what_it_takes) {
  base::random random(10);
  calendar tested;
  for (std::uint32_t i = 0; i < 5000; ++i) tested.add({random.below(1 << 20), i, 0});
  std::size_t foreseen = 0;
  while (!tested.empty()) {
    constexpr std::size_t ahead = 4;
    std::vector<std::uint32_t> soon;
    for (std::size_t i = 0; i < ahead && tested.coming(i) != nullptr; ++i) {
      soon.push_back(tested.coming(i)->what);
    }
    foreseen += soon.size();
    for (const std::uint32_t what : soon) ASSERT_EQ(tested.take().what, what);
    if (soon.empty()) tested.take();
  }
  EXPECT_GT(foreseen, 4000u);
}

TEST(busy_words, remember_each_time_until_it_has_come) {
  base::random random(11);
  busy_words tested;
  std::map<std::uint64_t, picoseconds> reference;
  picoseconds now = 0;
  for (int i = 0; i < 200'000; ++i) {
    now += random.below(16);
    // Few words at first, then more than there are slots, then few again.
    const std::uint64_t words = i / 50'000 % 2 == 0 ? 50 : 20'000;
    const std::uint64_t word = 8 * (1 + random.below(words));
    picoseconds& expected = reference[word];
    picoseconds& free = tested.free_at(word, now);
    ASSERT_EQ(std::max(free, now), std::max(expected, now));
    expected = free = std::max(free, now) + random.below(40'000);
  }
}

}  // namespace
}  // namespace far::fabric::sim
