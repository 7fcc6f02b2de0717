// What the simulator adds to the contract: every allowed order occurs, seeds replay, and programs
// that hang or misuse the fabric get an error.

#include <array>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/job.hpp"

namespace far::fabric {
namespace {

constexpr address shared_word(0, symmetric_segment, 64);
constexpr address other(0, symmetric_segment, 128);
constexpr address shared_block(0, symmetric_segment, 1024);

#ifdef FAR_THREAD_SANITIZER

TEST(sim_test, refuses_what_cannot_follow_fibers) {
  job_options options;
  options.mode = job_mode::fibers;
  EXPECT_THROW(run_job(options, [](fabric&) {}), bad_argument);
}

#else

void run(int ranks, std::uint64_t seed, const std::function<void(fabric& rank, context& c)>& body) {
  job_options options;
  options.ranks = ranks;
  options.mode = job_mode::fibers;
  options.seed = seed;
  run_job(options, [&](fabric& rank) {
    const auto c = rank.open_context();
    rank.set_extent(symmetric_segment, 8192);
    rank.quiesce(*c);
    body(rank, *c);
  });
}

void put(context& c, address to, const std::uint64_t& value) {
  const put_part part{to, &value, sizeof(value)};
  c.put({&part, 1});
}

std::uint64_t get(context& c, address from) {
  std::uint64_t value = 0;
  completion done;
  const get_part part{from, &value, sizeof(value)};
  c.get({&part, 1}, &done);
  c.wait(done, {"get", from.rank(), from});
  return value;
}

/// The text of the error that ends a job of two ranks.
template <class Error>
std::string failure_of(const std::function<void(fabric& rank, context& c)>& body) {
  try {
    run(2, 1, body);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of exception: " << error.what();
    return "";
  }
  ADD_FAILURE() << "no exception";
  return "";
}

TEST(sim_test, a_seed_names_a_run) {
  const auto trace = [](std::uint64_t seed) {
    std::vector<std::uint64_t> steps;
    run(4, seed, [&](fabric& rank, context& c) {
      for (int i = 0; i < 20; ++i) {
        amo_request add{.word = shared_word.on(i % 4), .op = amo_op::add, .operand = 1};
        c.amo(add, nullptr);
        c.flush(i % 4);
        steps.push_back(rank.now() * 4 + static_cast<std::uint64_t>(rank.rank()));
      }
    });
    return steps;
  };
  std::set<std::vector<std::uint64_t>> different;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(trace(seed), trace(seed));
    different.insert(trace(seed));
  }
  EXPECT_EQ(different.size(), 20u);
}

TEST(sim_test, puts_pass_each_other) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    run(2, seed, [&](fabric& rank, context& c) {
      const std::uint64_t one = 1;
      if (rank.rank() == 1) {
        put(c, shared_word, one);
        put(c, other, one);
        c.flush();
      } else {
        const std::uint64_t second = get(c, other);
        seen.emplace(get(c, shared_word), second);
      }
    });
  }
  EXPECT_TRUE(seen.contains({0, 1})) << "the later put was never seen before the earlier";
  EXPECT_EQ(seen.size(), 4u);
}

TEST(sim_test, flushes_pass_what_is_loose) {
  std::set<std::uint64_t> seen;
  for (const bool loose : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      run(2, seed, [&](fabric& rank, context& c) {
        if (rank.rank() != 1) return;
        c.amo({.word = shared_word, .op = amo_op::add, .loose = loose, .operand = 1}, nullptr);
        c.flush();
        const std::uint64_t now = get(c, shared_word);
        if (loose) {
          seen.insert(now);
        } else {
          EXPECT_EQ(now, 1u);
        }
      });
    }
  }
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1}));
}

TEST(sim_test, long_transfers_tear_between_words) {
  constexpr std::size_t words = 16;
  bool torn = false;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    run(2, seed, [&](fabric& rank, context& c) {
      std::array<std::uint64_t, words> data{};
      if (rank.rank() == 1) {
        data.fill(~std::uint64_t{0});
        const put_part part{shared_block, data.data(), sizeof(data)};
        c.put({&part, 1});
        c.flush();
      } else {
        completion done;
        const get_part part{shared_block, data.data(), sizeof(data)};
        c.get({&part, 1}, &done);
        c.wait(done, {"get", 0, shared_block});
        for (const std::uint64_t w : data) {
          EXPECT_TRUE(w == 0 || w == ~std::uint64_t{0}) << "a word was torn: " << w;
          torn |= w != data[0];
        }
      }
    });
  }
  EXPECT_TRUE(torn);
}

TEST(sim_test, a_plain_put_wakes_nobody) {
  const std::string text = failure_of<deadlock>([](fabric& rank, context& c) {
    const std::uint64_t one = 1;
    if (rank.rank() == 1) {
      // Only once the other rank sleeps; otherwise it might see the word by luck.
      c.compute(1'000'000'000);
      put(c, shared_word, one);
      c.flush();
    } else {
      c.wait([&] { return c.peek(shared_word) == 1; }, never, {"a flag", 1, shared_word});
    }
  });
  EXPECT_NE(text.find("under seed 1"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 0, context 0 waits for: a flag, rank 1, word at segment 0 offset 64"),
            std::string::npos)
      << text;
}

struct silent {
  static void run(message&) {}
};

TEST(sim_test, credits_run_out) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    run(2, seed, [&](fabric& rank, context& c) {
      for (int i = 0; rank.rank() == 0 && i < 50; ++i) {
        const send_request m{.rank = 1, .handler = handler_of<silent>::index()};
        if (c.try_send(m)) continue;
        ++refused;
        c.send(m);
      }
      rank.quiesce(c);
    });
  }
  EXPECT_GT(refused, 0);
}

TEST(sim_test, the_first_failure_ends_the_job) {
  bool told = false;
  const std::string text = failure_of<out_of_bounds>([&](fabric& rank, context& c) {
    if (rank.rank() == 1) get(c, {0, symmetric_segment, 8192});
    try {
      c.wait([] { return false; }, never, {"nothing", -1, {}});
    } catch (const rank_failed& failure) {
      told = failure.rank() == 1;
      throw;
    }
  });
  EXPECT_TRUE(told);
  EXPECT_NE(text.find("8192"), std::string::npos) << text;
}

TEST(sim_test, a_thread_that_fails_ends_those_that_wait_for_it) {
  failure_of<out_of_memory>([](fabric& rank, context& c) {
    const auto own = rank.open_context();
    rank.run_threads(c, 2, [&](int thread) {
      if (thread == 1) throw out_of_memory("no room");
      own->wait([] { return false; }, never, {"the other thread", -1, {}});
    });
  });
}

TEST(sim_test, fibers_keep_their_exceptions_apart) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    run(3, seed, [](fabric& rank, context& c) {
      struct flush_in_unwinding {
        context* c;
        ~flush_in_unwinding() {
          EXPECT_EQ(std::uncaught_exceptions(), 1);
          c->compute(10);
          EXPECT_EQ(std::uncaught_exceptions(), 1);
        }
      };
      const std::string mine = "of rank " + std::to_string(rank.rank());
      for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(std::uncaught_exceptions(), 0);
        try {
          const flush_in_unwinding guard{&c};
          throw error(mine);
        } catch (const error&) {
          c.compute(10);
          try {
            throw;
          } catch (const error& again) {
            EXPECT_EQ(again.what(), mine);
          }
        }
      }
    });
  }
}

TEST(sim_test, time_is_virtual) {
  run(2, 1, [](fabric& rank, context& c) {
    const std::uint64_t month = 30ull * 24 * 3600 * 1'000'000'000;
    const std::uint64_t before = rank.now();
    c.compute(month);
    EXPECT_GE(rank.now() - before, month);
  });
}

TEST(sim_test, holds_many_ranks) {
  std::uint64_t sum = 0;
  run(1000, 1, [&](fabric& rank, context& c) {
    c.amo({.word = shared_word, .op = amo_op::add, .operand = 1}, nullptr);
    c.flush();
    rank.quiesce(c);
    if (rank.rank() == 0) sum = get(c, shared_word);
  });
  EXPECT_EQ(sum, 1000u);
}

#endif

}  // namespace
}  // namespace far::fabric
