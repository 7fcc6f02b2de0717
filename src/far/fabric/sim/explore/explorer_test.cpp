// The drivers find planted bugs; a seed gives the same run with every compiler; findings shrink and
// replay. Fibers are left out under ThreadSanitizer, which cannot follow them.

#include <array>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "far/fabric/sim/explore/explorer_planted_test.hpp"
#include "far/fabric/sim/explore/job.hpp"
#include "far/fabric/sim/explore/shrink.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace far::fabric::sim {
namespace {

struct program {
  const char* name;
  int ranks;
  void (*run)(fabric&, context&, bool);
};

constexpr std::array programs{
    program{"a lost wake-up", 2, planted::wake_up},
    program{"a flag before its data", 2, planted::pass_message},
    program{"a count that is not atomic", 3, planted::count},
    program{"a head without a stamp", 2, planted::pop},
};

job_options options_of(const program& which, const std::string& driver, std::uint64_t seed) {
  job_options options;
  options.ranks = which.ranks;
  options.mode = job_mode::fibers;
  options.driver = driver;
  options.seed = seed;
  return options;
}

/// The text of the failure; empty if there is none.
std::optional<std::string> failure_of(const job_options& options, const program& which,
                                      bool correct = false) {
  try {
    run_job(options,
            planted::with_context([&](fabric& rank, context& c) { which.run(rank, c, correct); }));
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

/// The first seed that finds the bug, or 0.
std::uint64_t first_seed(const program& which, const std::string& driver, std::uint64_t max) {
  for (std::uint64_t seed = 1; seed <= max; ++seed) {
    if (failure_of(options_of(which, driver, seed), which)) return seed;
  }
  return 0;
}

TEST(explorer_test, each_driver_finds_each_bug) {
  constexpr std::uint64_t max = 300;
  for (const program& which : programs) {
    for (const char* driver : {"random", "random:pause", "pct:2", "pct:3"}) {
      const std::uint64_t seed = first_seed(which, driver, max);
      EXPECT_GT(seed, 0u) << driver << " does not find " << which.name;
      RecordProperty(std::string(which.name) + " by " + driver, std::to_string(seed));
    }
  }
}

TEST(explorer_test, nothing_is_found_where_nothing_is_wrong) {
  for (const program& which : programs) {
    for (const char* driver : {"random", "random:pause", "pct:2", "pct:3"}) {
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        EXPECT_EQ(failure_of(options_of(which, driver, seed), which, true), std::nullopt)
            << driver << ", seed " << seed << ", without " << which.name;
      }
    }
  }
}

/// The hash of all traces of seeds 1 .. 20.
std::uint64_t hash_of_seeds(const std::string& driver) {
  trace all;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    job_options options = options_of(programs[3], driver, seed);
    std::string text;
    options.trace = &text;
    failure_of(options, programs[3], true);
    const trace one = parse_trace(text);
    all.insert(all.end(), one.begin(), one.end());
    all.push_back(1000 + seed);
  }
  return hash_of(all);
}

// Changes when the simulator asks its driver different questions. If that was intended, write the
// new numbers here; they must be the same with GCC and clang.
TEST(explorer_test, a_seed_means_the_same_under_every_compiler) {
  EXPECT_EQ(hash_of_seeds("random"), 11495855781265138442u);
  EXPECT_EQ(hash_of_seeds("random:pause"), 2645775244327344495u);
  EXPECT_EQ(hash_of_seeds("pct:3"), 17803715599804782652u);
}

TEST(explorer_test, findings_shrink_and_replay) {
  for (const program& which : programs) {
    for (const char* driver : {"random", "pct:3"}) {
      const std::uint64_t seed = first_seed(which, driver, 300);
      job_options options = options_of(which, driver, seed);
      std::string found;
      options.trace = &found;
      const std::optional<std::string> failure = failure_of(options, which);
      ASSERT_TRUE(failure.has_value()) << which.name;
      const auto kind = [](const std::string& text) { return text.substr(0, text.find(' ')); };
      const auto replay = [&](const trace& decisions) {
        job_options again = options_of(which, "replay:" + text_of(decisions), seed);
        return failure_of(again, which);
      };
      const trace whole = parse_trace(found);
      EXPECT_EQ(replay(whole), failure);

      const shrunk small = shrink(whole, [&](const trace& decisions) {
        const auto text = replay(decisions);
        return text.has_value() && kind(*text) == kind(*failure);
      });
      EXPECT_LE(small.decisions.size(), whole.size());
      EXPECT_LE(deviations_of(small.decisions), 16u)
          << which.name << " by " << driver << ": " << text_of(small.decisions);
      const auto first = replay(small.decisions);
      ASSERT_TRUE(first.has_value());
      EXPECT_EQ(first, replay(small.decisions));
      RecordProperty(std::string(which.name) + " shrunk by " + driver, text_of(small.decisions));
    }
  }
}

TEST(explorer_test, a_story_tells_what_was_not_calm) {
  const program& which = programs[1];
  std::string story;
  job_options options = options_of(which, "random", first_seed(which, "random", 300));
  options.story = &story;
  failure_of(options, which);
  EXPECT_NE(story.find("goes on (not yet: "), std::string::npos) << story;
  EXPECT_NE(story.find("lets others come first"), std::string::npos) << story;
  options.driver = "replay:";
  failure_of(options, which);
  EXPECT_EQ(story, "");
}

// ---- livelock

TEST(explorer_test, a_livelock_is_reported_with_what_each_rank_tries) {
  const program which{"two that wait for each other", 2, [](fabric& rank, context& c, bool) {
                        const address mine = planted::flag.on(rank.rank());
                        backoff state;
                        while (planted::get(c, mine) == 0) c.pause(state);
                        planted::put(c, planted::flag.on(1 - rank.rank()), 1);
                      }};
  for (const char* driver : {"random", "pct:3", "replay:"}) {
    job_options options = options_of(which, driver, 3);
    options.patience = 5000;
    const std::string text = failure_of(options, which).value_or("nothing");
    EXPECT_TRUE(
        text.starts_with("livelock of 2 simulated ranks under seed 3: in 5001 steps "
                         "nothing has changed but tries were repeated"))
        << text;
    for (const int rank : {0, 1}) {
      EXPECT_NE(text.find("\n  rank " + std::to_string(rank) + ", context 0 "), std::string::npos)
          << text;
    }
    EXPECT_NE(text.find("segment 0 offset 64 of rank"), std::string::npos) << text;
    EXPECT_NE(text.find("FAR_SIM_PATIENCE"), std::string::npos) << text;
  }
}

TEST(explorer_test, reading_much_and_waiting_long_are_no_livelock) {
  const program which{"a reader and one that waits for it", 2, [](fabric& rank, context& c, bool) {
                        if (rank.rank() == 0) {
                          c.compute(100'000);
                          for (int i = 0; i < 3000; ++i) planted::get(c, planted::data);
                          planted::put(c, planted::flag, 1);
                          c.flush();
                        } else {
                          backoff state;
                          while (planted::get(c, planted::flag) == 0) c.pause(state);
                        }
                      }};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    job_options options = options_of(which, "random", seed);
    options.patience = 2000;
    EXPECT_EQ(failure_of(options, which), std::nullopt) << seed;
  }
}

TEST(explorer_test, looks_while_another_rank_rests_are_no_livelock) {
  const program which{"one that has tried often, and one that polls", 2,
                      [](fabric& rank, context& c, bool) {
                        if (rank.rank() == 0) {
                          backoff state{.attempts = 40};
                          c.pause(state);
                          planted::put(c, planted::flag, 1);
                          c.flush();
                        } else {
                          while (planted::get(c, planted::flag) == 0) c.progress();
                        }
                      }};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(failure_of(options_of(which, "random", seed), which), std::nullopt) << seed;
  }
}

// ---- death

TEST(explorer_test, a_rank_may_die_at_each_of_its_calls) {
  const program which{"a message", 2, planted::pass_message};
  for (const char* driver : {"random", "pct:3"}) {
    for (int victim = 0; victim < 2; ++victim) {
      std::uint64_t call = 1;
      for (; call <= 100; ++call) {
        job_options options = options_of(which, driver, call);
        options.kill_rank = victim;
        options.kill_at = call;
        const auto text = failure_of(options, which, true);
        if (!text) break;
        EXPECT_EQ(*text, "rank " + std::to_string(victim) + " was killed at its call " +
                             std::to_string(call));
      }
      EXPECT_GE(call, 3u) << "calls of rank " << victim;
      EXPECT_LT(call, 100u);
    }
  }
}

TEST(explorer_test, a_survivor_that_fails_otherwise_is_told) {
  std::set<std::string> texts;
  const program which{"a survivor that cannot bear it", 2, [](fabric& rank, context& c, bool) {
                        if (rank.rank() == 1) return c.flush();
                        try {
                          c.wait([] { return false; }, never, {"the end", -1, {}});
                        } catch (const rank_failed&) {
                          throw error("this one should have let go");
                        }
                      }};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    job_options options = options_of(which, "random", seed);
    options.kill_rank = 1;
    options.kill_at = 2;
    texts.insert(failure_of(options, which).value_or("nothing"));
  }
  EXPECT_EQ(texts, std::set<std::string>{"this one should have let go"});
}

// ---- options

TEST(explorer_test, drivers_that_do_not_exist) {
  for (const char* driver :
       {"chance", "pct:", "pct:0", "pct:x", "pct:3:", "pct:3:4:5", "pctx", "replay:x", "random:"}) {
    const auto text = failure_of(options_of(programs[0], driver, 1), programs[0]);
    ASSERT_TRUE(text.has_value()) << driver;
    EXPECT_NE(text->find("want "), std::string::npos) << *text;
  }
}

}  // namespace
}  // namespace far::fabric::sim
#endif
