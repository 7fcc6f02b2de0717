// What the reductions of the exhaustive search leave out reaches no other outcomes, and how much
// they leave out. Fibers are left out under ThreadSanitizer, which cannot follow them.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "far/fabric/sim/explore/exhaustive_programs_test.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace far::fabric::sim {
namespace {

using small::verb;

small::program random_program(base::random& random, std::size_t ranks, std::uint64_t operations) {
  small::program p(ranks);
  for (std::uint64_t i = 0; i < operations; ++i) {
    const auto what = static_cast<verb>(random.below(static_cast<std::uint64_t>(verb::last) + 1));
    const int word = what == verb::await ? 2 : static_cast<int>(random.below(2));
    p[random.below(ranks)].push_back({what, static_cast<int>(random.below(ranks)), word});
  }
  return p;
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// All reductions, each with and without the promise that the program only uses verbs.
const std::vector<exhaustive_limits> ways{
    {.leave_out = reduction::sleep_sets},
    {.leave_out = reduction::sleep_sets, .verbs_only = true},
    {.leave_out = reduction::source_sets},
    {.leave_out = reduction::source_sets, .verbs_only = true},
};

// Of trees that are too large, the full search sees only a part; none of its outcomes may be
// missing.
TEST(reduction_test, what_is_left_out_leads_nowhere_else) {
  base::random random(11);
  std::uint64_t whole = 0;
  for (int i = 0; i < 16; ++i) {
    const small::program p = random_program(random, 2, 1 + random.below(2));
    const small::found all = small::search(p, {.schedules = 3000, .leave_out = reduction::none});
    if (all.result.complete) ++whole;
    for (const exhaustive_limits& way : ways) {
      const small::found few = small::search(p, way);
      EXPECT_TRUE(few.result.complete) << small::text(p);
      EXPECT_TRUE(includes(few.outcomes, all.outcomes)) << small::text(p);
      if (!all.result.complete) continue;
      EXPECT_EQ(few.outcomes, all.outcomes) << small::text(p);
    }
  }
  EXPECT_GE(whole, 3u);
}

// Waits that plain puts end. Where the word is never written, the outcome is a deadlock.
TEST(reduction_test, waits_for_plain_memory_are_explored) {
  base::random random(17);
  std::uint64_t whole = 0;
  std::uint64_t ended = 0;
  for (int i = 0; i < 12; ++i) {
    small::program p = random_program(random, 2, random.below(2));
    p[0].push_back({verb::watch, 1, static_cast<int>(random.below(2))});
    p[1].push_back(
        {i % 2 == 0 ? verb::put : verb::put_later, 0, static_cast<int>(random.below(2))});
    const small::found all = small::search(p, {.schedules = 3000, .leave_out = reduction::none});
    if (all.result.complete) ++whole;
    for (const std::string& one : all.outcomes) ended += one.find("= ") != std::string::npos;
    for (const exhaustive_limits& way : ways) {
      const small::found few = small::search(p, way);
      EXPECT_TRUE(few.result.complete) << small::text(p);
      EXPECT_TRUE(includes(few.outcomes, all.outcomes)) << small::text(p);
      if (!all.result.complete) continue;
      EXPECT_EQ(few.outcomes, all.outcomes) << small::text(p);
    }
  }
  EXPECT_GE(whole, 3u);
  EXPECT_GE(ended, 4u);
}

// Three reductions that leave out different runs must find the same outcomes.
TEST(reduction_test, reductions_agree) {
  base::random random(13);
  std::uint64_t max = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const small::program p = random_program(random, 2 + i % 2, 4);
    const small::found few = small::search(p, ways[3]);
    EXPECT_TRUE(few.result.complete) << small::text(p);
    max = std::max<std::uint64_t>(max, few.outcomes.size());
    for (const std::size_t other : {1u, 2u}) {
      exhaustive_limits way = ways[other];
      way.schedules = 2000;
      const small::found many = small::search(p, way);
      EXPECT_TRUE(includes(few.outcomes, many.outcomes)) << small::text(p);
      if (many.result.complete) {
        EXPECT_EQ(few.outcomes, many.outcomes) << small::text(p);
        EXPECT_GE(many.result.schedules, few.result.schedules) << small::text(p);
      }
    }
  }
  EXPECT_GE(max, 6u) << "the programs are too tame";
}

// Random runs also cover what the search does not distinguish, and pauses of all lengths.
TEST(reduction_test, what_chance_comes_to_is_among_all_outcomes) {
  base::random random(12);
  std::uint64_t outcomes = 0;
  for (int i = 0; i < 60; ++i) {
    const std::size_t ranks = 2 + static_cast<std::size_t>(i % 2);
    const small::program p = random_program(random, ranks, 4 + random.below(5));
    const small::found all = small::search(p, {.schedules = 3000, .verbs_only = true});
    if (!all.result.complete) continue;
    EXPECT_TRUE(includes(all.outcomes, small::play_by_chance(p, 100))) << small::text(p);
    outcomes += all.outcomes.size();
  }
  EXPECT_GE(outcomes, 200u) << "the programs are too tame";
}

struct counted {
  const char* name;
  small::program text;
  std::uint64_t schedules;
  std::size_t outcomes;
};

small::program repeated(std::size_t ranks, std::vector<small::operation> part) {
  small::program p;
  for (std::size_t r = 0; r < ranks; ++r) {
    p.push_back(part);
    for (small::operation& op : p.back())
      op.rank = (op.rank + static_cast<int>(r)) % static_cast<int>(ranks);
  }
  return p;
}

// One run for each order of the dependent steps; the expected numbers of orders are given.
TEST(reduction_test, as_many_runs_as_there_are_orders) {
  using v = verb;
  const small::operation add{v::fetch_add, 0, 0};
  const std::vector<counted> programs{
      {"nothing", {{}, {}, {}}, 1, 1},
      {"words of one's own",
       repeated(3, {{v::put, 1, 0}, {v::get, 1, 0}, {v::put, 1, 1}, {v::fetch_add, 1, 0}}), 1, 1},
      {"pieces of one's own",
       repeated(3, {{v::put_two, 1, 0}, {v::flush}, {v::get_two, 1, 0}, {v::put_two, 1, 0}}), 1, 1},
      {"readers", {{{v::get, 0, 0}, {v::get, 0, 0}}, {{v::get, 0, 0}}, {{v::get_two, 0, 0}}}, 1, 1},
      {"three on a word", {{add}, {add}, {add}}, 6, 6},
      {"three on a word, twice", {{add, add}, {add, add}, {add, add}}, 90, 90},
      {"two on two words", {{add, {v::fetch_add, 0, 1}}, {{v::fetch_add, 0, 1}, add}}, 3, 3},
      {"a reader of what is torn", {{{v::put_two, 0, 0}}, {{v::get_two, 0, 0}}}, 4, 4},
      {"a writer between",
       {{{v::put_two, 0, 0}}, {{v::get_two, 0, 0}}, {{v::put_two, 0, 0}}},
       36,
       36},
      {"no order without a flush", {{{v::put_later, 0, 0}, {v::put_later, 0, 0}}, {}}, 2, 2},
      // Each rank may check for its signal before it arrives.
      {"a ring", repeated(3, {{v::put_signal, 1, 0}, {v::await}, {v::get, 0, 0}}), 8, 1},
  };
  for (const counted& one : programs) {
    const small::found few = small::search(one.text, {.verbs_only = true});
    EXPECT_TRUE(few.result.complete) << one.name;
    EXPECT_EQ(few.result.schedules, one.schedules) << one.name;
    EXPECT_EQ(few.result.repeated, 0u) << one.name;
    EXPECT_EQ(few.outcomes.size(), one.outcomes) << one.name;
  }
}

TEST(reduction_test, a_word_that_wakes_nobody_is_seen_or_missed) {
  using v = verb;
  const auto outcomes = [](verb how) {
    return small::search({{{how, 1, 2}}, {{v::await, 0, 2}}}, {.verbs_only = true}).outcomes.size();
  };
  EXPECT_EQ(outcomes(v::add), 2u);
  EXPECT_EQ(outcomes(v::add_wake), 1u);
}

}  // namespace
}  // namespace far::fabric::sim
#endif
