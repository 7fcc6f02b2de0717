#include "far/rma/await_words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/plain_wake.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/signal.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/rpc.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class await_words_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
  static int left_of(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }

  /// A token goes round the ring, by plain puts: each rank waits for the number of the round.
  template <class T>
  static void ring(world& w, int rounds) {
    const auto words = allocate<T>(w, 9);  // the awaited one lies between others
    meet(w);
    const auto word = words + 5;
    const auto low = std::numeric_limits<T>::min();
    for (int i = 1; i <= rounds; ++i) {
      const T value = static_cast<T>(low + static_cast<T>(i));
      if (w.rank() == 0) put(w, word.on(right_of(w)), value);
      EXPECT_TRUE(await_word(w, word, comparison::eq, value));
      if (w.rank() != 0) put(w, word.on(right_of(w)), value);
    }
    meet(w);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(*local(w, words + i) != 0, i == 5);
  }
};
INSTANTIATE_FAR_MODES(await_words_test);

TEST_P(await_words_test, plain_puts_end_waits) {
  run([](world& w) {
    const int rounds = test::rounds_in_sim(w, 10, 50);
    ring<std::int16_t>(w, rounds);
    ring<std::uint64_t>(w, rounds == 50 ? 50 : 1);
    ring<std::int32_t>(w, rounds == 50 ? 50 : 1);
  });
}

/// What a rank put before the word is there once the word is.
TEST_P(await_words_test, shows_what_came_before) {
  run([](world& w) {
    constexpr std::size_t n = 50;
    const auto row = allocate<std::uint64_t>(w, n);
    const auto word = allocate<std::int32_t>(w);
    meet(w);
    const int rounds = test::rounds_in_sim(w, 20, 100);
    for (int i = 1; i <= rounds; ++i) {
      const std::vector<std::uint64_t> values(n, static_cast<std::uint64_t>(1000 * i + w.rank()));
      put(w, row.on(right_of(w)), values);
      flush(w, right_of(w));
      put(w, word.on(right_of(w)), i);
      await_word(w, word, comparison::ge, i);
      const auto expected = static_cast<std::uint64_t>(1000 * i + left_of(w));
      const auto mine = local_span(w, row, n);
      EXPECT_TRUE(std::ranges::all_of(mine, [&](auto x) { return x == expected; }));
      meet(w);
    }
  });
}

/// Each rank writes its word at rank 0, by different means; words of others are left out.
TEST_P(await_words_test, all_words_once) {
  run([](world& w) {
    const auto n = static_cast<std::size_t>(w.size());
    const auto words = allocate<std::int32_t>(w, n);
    meet(w);
    const auto mine = words.on(0) + w.rank();
    switch (w.rank() % 3) {
      case 0:
        put(w, mine, -1 - w.rank());
        break;
      case 1:
        atomic_ref<std::int32_t>(w, mine).store(-1 - w.rank());
        break;
      default:
        atomic_ref<std::int32_t>(w, mine).fetch_add(-1 - w.rank());
    }
    if (w.rank() == 0) {
      std::vector<std::int32_t> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = -1 - static_cast<std::int32_t>(i);
      EXPECT_TRUE(await_all(w, awaited_words<std::int32_t>{words, n, comparison::eq, values, {}}));
      const std::int32_t zero = 0;
      EXPECT_TRUE(
          await_all(w, awaited_words<std::int32_t>{words, n, comparison::lt, {&zero, 1}, {}}));
      std::vector<int> excluded(n, 1);
      EXPECT_TRUE(  // none is awaited
          await_all(w,
                    awaited_words<std::int32_t>{words, n, comparison::gt, {&zero, 1}, excluded}));
    }
    meet(w);
  });
}

TEST_P(await_words_test, any_word) {
  run([](world& w) {
    const auto n = static_cast<std::size_t>(w.size());
    const auto words = allocate<std::uint16_t>(w, n);
    meet(w);
    put(w, words.on(0) + w.rank(), static_cast<std::uint16_t>(w.rank() + 1));
    if (w.rank() == 0) {
      std::vector<int> seen(n, 0);
      const std::uint16_t zero = 0;
      const awaited_words<std::uint16_t> all{words, n, comparison::ne, {&zero, 1}, seen};
      for (std::size_t i = 0; i < n; ++i) {
        const auto found = await_any(w, all);
        ASSERT_TRUE(found.has_value());
        ASSERT_LT(*found, n);
        EXPECT_EQ(seen[*found], 0);
        EXPECT_EQ(get(w, words + static_cast<std::int64_t>(*found)), *found + 1);
        seen[*found] = 1;
      }
      EXPECT_EQ(await_any(w, all), std::nullopt);
      EXPECT_EQ(await_any(w, awaited_words<std::uint16_t>{words, 0, comparison::ne, {}, {}}),
                std::nullopt);
    }
    meet(w);
  });
}

TEST_P(await_words_test, some_words) {
  run([](world& w) {
    const auto n = static_cast<std::size_t>(w.size());
    const auto words = allocate<std::uint64_t>(w, n);
    meet(w);
    put(w, words.on(0) + w.rank(), ~std::uint64_t{0});  // as a signed number it were negative
    if (w.rank() == 0) {
      std::vector<int> seen(n, 0);
      std::vector<std::size_t> which(n);
      const std::uint64_t zero = 0;
      const awaited_words<std::uint64_t> all{words, n, comparison::gt, {&zero, 1}, seen};
      for (std::size_t in_all = 0; in_all < n;) {
        const std::size_t found = await_some(w, all, which.data());
        ASSERT_GT(found, 0u);
        ASSERT_LE(found, n);
        EXPECT_TRUE(std::is_sorted(which.begin(), which.begin() + static_cast<long>(found)));
        for (std::size_t i = 0; i < found; ++i) EXPECT_EQ(std::exchange(seen[which[i]], 1), 0);
        in_all += found;
      }
      EXPECT_EQ(await_some(w, all, which.data()), 0u);
    }
    meet(w);
  });
}

TEST_P(await_words_test, tests_do_not_wait) {
  run([](world& w) {
    const auto words = allocate<std::int32_t>(w, 3);
    meet(w);
    const std::array<std::int32_t, 3> values{-2, 0, 1};
    const auto set = [&](comparison how) {
      return awaited_words<std::int32_t>{words, 3, how, values, {}};
    };
    std::array<std::size_t, 3> which{};
    EXPECT_FALSE(test_all(w, set(comparison::ge)));
    EXPECT_EQ(test_any(w, set(comparison::gt)), 0u);
    EXPECT_EQ(test_any(w, set(comparison::lt)), 2u);
    EXPECT_EQ(test_some(w, set(comparison::le), which.data()), 2u);
    EXPECT_EQ(which[0], 1u);
    EXPECT_EQ(which[1], 2u);
    EXPECT_EQ(test_some(w, set(comparison::eq), which.data()), 1u);
    EXPECT_EQ(test_some(w, set(comparison::ne), which.data()), 2u);
    put(w, words, -3);
    EXPECT_TRUE(test_all(w, set(comparison::le)));
    EXPECT_FALSE(test_any(w, set(comparison::gt)).has_value());
    EXPECT_FALSE(await_word(w, words, comparison::eq, 17, w.now()));
    EXPECT_FALSE(await_any(w, set(comparison::gt), w.now()).has_value());
    EXPECT_EQ(await_some(w, set(comparison::gt), which.data(), w.now()), 0u);
  });
}

TEST_P(await_words_test, bad_words_are_refused) {
  run([](world& w) {
    const auto word = allocate<std::int32_t>(w, 4);
    meet(w);
    const std::int32_t one = 1;
    const std::array<int, 2> flags{};
    const auto awaits = [&](ptr<std::int32_t> first, std::size_t n, std::size_t values,
                            std::span<const int> excluded = {}) {
      const std::array<std::int32_t, 3> all{1, 1, 1};
      return test_all(w, awaited_words<std::int32_t>{first, n, comparison::eq,
                                                     std::span(all).first(values), excluded});
    };
    EXPECT_THROW((void)awaits(word.on(w.rank() + 1), 1, 1), bad_argument);
    EXPECT_THROW((void)awaits(ptr<std::int32_t>(word.address() + 2), 1, 1), bad_argument);
    EXPECT_THROW((void)awaits(word, 3, 2), bad_argument);
    EXPECT_THROW((void)awaits(word, 3, 1, flags), bad_argument);
    EXPECT_THROW((void)awaits(ptr<std::int32_t>(), 1, 1), error);
    EXPECT_THROW((void)awaits(word + 1'000'000, 1, 1), out_of_bounds);
    EXPECT_THROW(await_word(w, word + 1'000'000, comparison::eq, one), out_of_bounds);
    meet(w);
  });
}

/// The others have gone to sleep by then.
TEST_P(await_words_test, late_puts_are_seen) {
  run([](world& w) {
    const auto word = allocate<std::int64_t>(w);
    meet(w);
    for (int round = 1; round <= 2; ++round) {
      if (w.rank() == 0) {
        w.compute(5'000'000);
        for (int r = 0; r < w.size(); ++r) put(w, word.on(r), round);
      }
      await_word(w, word, comparison::eq, round);
      meet(w);
    }
  });
}

/// As users of plain instructions give them: they may only end a sleep sooner.
TEST_P(await_words_test, hints_do_no_harm) {
  run([](world& w) {
    const auto word = allocate<std::int32_t>(w);
    const fabric::plain_waker waker(w.fabric());
    meet(w);
    const int rounds = test::rounds_in_sim(w, 10, 50);
    for (int i = 1; i <= rounds; ++i) {
      if (w.rank() != 0) await_word(w, word, comparison::ge, i);
      put(w, word.on(right_of(w)), i);
      waker.changed(right_of(w));
      if (w.rank() == 0) await_word(w, word, comparison::ge, i);
    }
    meet(w);
  });
}

/// A rank that waits runs handlers of others.
TEST_P(await_words_test, makes_progress) {
  run([](world& w) {
    const auto words = allocate<std::int64_t>(w, 2);
    meet(w);
    if (w.size() == 1) return;
    // Rank 0 awaits what its right neighbour writes only after rank 0 has answered it.
    if (w.rank() == 0) {
      await_word(w, words, comparison::ne, 0);
    } else if (w.rank() == 1) {
      EXPECT_EQ(rpc(
                    w, 0, [](int x) { return x + 1; }, 41)
                    .get(),
                42);
      put(w, words.on(0), std::int64_t{1});
    }
    meet(w);
  });
}

TEST_P(await_words_test, a_failure_ends_waits) {
  if (options.ranks == 1) return;
  options.ranks = std::max(options.ranks, 2);
  const auto fail = [&] {
    run([](world& w) {
      const auto word = allocate<std::int32_t>(w);
      meet(w);
      if (w.rank() == 1) {
        w.compute(3'000'000);  // the others sleep by then
        throw bad_argument("enough of this");
      }
      try {
        await_word(w, word, comparison::ne, 0);
      } catch (const rank_failed& failure) {
        EXPECT_EQ(failure.rank(), 1);
        throw;
      }
    });
  };
  EXPECT_THROW(fail(), bad_argument);
}

#ifndef FAR_THREAD_SANITIZER

TEST(await_words_death_test, a_dead_rank_ends_waits) {
  test::expect_death_is_told([](const world& w) {
    const auto word = allocate<std::int32_t>(w);
    w.fabric().quiesce(w.context());
    const int right = (w.rank() + 1) % w.size();
    for (std::int32_t lap = 1;; ++lap) {
      if (w.rank() == 0) put(w, word.on(right), lap);
      await_word(w, word, comparison::ge, lap);
      if (w.rank() != 0) put(w, word.on(right), lap);
    }
  });
}

#endif

}  // namespace
}  // namespace far
