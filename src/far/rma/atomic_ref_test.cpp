#include "far/rma/atomic_ref.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <source_location>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class atomic_ref_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
};
INSTANTIATE_FAR_MODES(atomic_ref_test);

/// One function for all types, because hundreds of expectations are slow to compile.
void same_bits(std::uint64_t got, std::uint64_t want, const std::source_location& where) {
  EXPECT_EQ(got, want) << "line " << where.line();
}
template <class T>
void same(T got, T want, std::source_location where = std::source_location::current()) {
  same_bits(rma::to_operand(got), rma::to_operand(want), where);
}

template <class T>
void integer_operations(const world& w, ptr<T> p) {
  constexpr T min = std::numeric_limits<T>::min();
  constexpr T max = std::numeric_limits<T>::max();
  // The waking reference uses the verb on every fabric, the other one the inline path if it can.
  for (const auto& word : {atomic_ref<T>(w, p), atomic_ref<T>(w, p).waking()}) {
    word.store(5);
    same<T>(word.load(), 5);
    same<T>(word.exchange(9), 5);
    same<T>(word.fetch_add(3), 9);
    same<T>(word.fetch_sub(2), 12);
    same<T>(word.fetch_and(6), 10);
    same<T>(word.fetch_or(8), 2);
    same<T>(word.fetch_xor(3), 10);
    same<T>(word.fetch_min(20), 9);
    same<T>(word.fetch_min(4), 9);
    same<T>(word.fetch_max(2), 4);
    same<T>(word.fetch_max(50), 4);
    word.add(1);
    same<T>(word.load(), 51);
    // At the ends of the range: signs and wrap-around.
    same<T>(word.exchange(max), 51);
    same<T>(word.fetch_add(1), max);
    same<T>(word.fetch_max(max), min);
    same<T>(word.fetch_min(min), max);
    same<T>(word.fetch_sub(1), min);
    same<T>(word.fetch_sub(min), max);
    same<T>(word.load(), static_cast<T>(~T{0}));
  }
}

template <class T>
void async_operations(const world& w, ptr<T> p) {
  for (const auto& word : {atomic_ref<T>(w, p), atomic_ref<T>(w, p).waking()}) {
    word.store_async(5).get();
    same<T>(word.load_async().get(), 5);
    same<T>(word.exchange_async(9).get(), 5);
    same<T>(word.fetch_add_async(3).get(), 9);
    same<T>(word.fetch_sub_async(2).get(), 12);
    same<T>(word.fetch_and_async(6).get(), 10);
    same<T>(word.fetch_or_async(8).get(), 2);
    same<T>(word.fetch_xor_async(3).get(), 10);
    same<T>(word.fetch_min_async(4).get(), 9);
    same<T>(word.fetch_max_async(50).get(), 4);
    word.add_async(1).get();
    same<T>(word.compare_exchange_async(50, 60).get(), 51);
    same<T>(word.compare_exchange_async(51, 60).get(), 51);
    same<T>(word.load(), 60);
  }
}

TEST_P(atomic_ref_test, integers_have_every_operation) {
  run([](world& w) {
    const auto wide = allocate<std::int64_t>(w, static_cast<std::uint64_t>(w.size()));
    const auto narrow = allocate<std::int32_t>(w, static_cast<std::uint64_t>(w.size()));
    meet(w);
    const auto there = wide.on(right_of(w)) + w.rank();
    const auto near = narrow.on(right_of(w)) + w.rank();
    const auto operate = [&w](auto p, bool blocking) {
      blocking ? integer_operations(w, p) : async_operations(w, p);
    };
    constexpr int kinds = 8;
    const int some = test::rounds_in_sim(w, 36, kinds);
    for (int i = 0; i < some; ++i) {
      const int kind = (w.size() + i) % kinds;
      const bool blocking = kind < kinds / 2;
      switch (kind % (kinds / 2)) {
        case 0:
          operate(there, blocking);
          break;
        case 1:
          operate(reinterpret_pointer_cast<std::uint64_t>(there), blocking);
          break;
        case 2:
          operate(near, blocking);
          break;
        default:
          operate(reinterpret_pointer_cast<std::uint32_t>(near), blocking);
      }
    }
    meet(w);
  });
}

template <class T>
void float_operations(const world& w, ptr<T> p) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (const auto& word : {atomic_ref<T>(w, p), atomic_ref<T>(w, p).waking()}) {
    word.store(T(1.5));
    same<T>(word.fetch_add(T(0.25)), T(1.5));
    same<T>(word.fetch_sub(T(2)), T(1.75));
    same<T>(word.fetch_min(T(-1)), T(-0.25));
    same<T>(word.fetch_max(T(8)), T(-1));
    word.add(T(0.5));
    same<T>(word.fetch_min(nan), T(8.5));
    same<T>(word.fetch_add_async(T(1)).get(), T(8.5));
    same<T>(word.fetch_max_async(T(3)).get(), T(9.5));
    same<T>(word.fetch_min_async(T(3)).get(), T(9.5));
    word.add_async(T(1)).get();
    T expected = T(3);
    EXPECT_FALSE(word.compare_exchange(expected, T(0)));
    same<T>(expected, T(4));
    EXPECT_TRUE(word.compare_exchange(expected, nan));
    EXPECT_TRUE(std::isnan(word.fetch_add(T(1))));  // the loop ends, although NaN != NaN
    EXPECT_TRUE(std::isnan(word.exchange(T(0))));
  }
}

TEST_P(atomic_ref_test, floats_go_by_compare_exchange) {
  run([](world& w) {
    const auto doubles = allocate<double>(w, static_cast<std::uint64_t>(w.size()));
    const auto floats = allocate<float>(w, static_cast<std::uint64_t>(w.size()));
    meet(w);
    const bool both = test::rounds_in_sim(w, 52, 2) == 2;
    if (both || w.size() % 2 == 0) float_operations(w, doubles.on(right_of(w)) + w.rank());
    if (both || w.size() % 2 != 0) float_operations(w, floats.on(right_of(w)) + w.rank());
    meet(w);
  });
}

enum class colour : std::int32_t { red, green };

TEST_P(atomic_ref_test, other_words_are_exchanged) {
  run([](world& w) {
    const auto head = allocate<ptr<int>>(w);
    const auto flag = allocate<colour>(w);
    meet(w);
    // Each rank exchanges the word for a pointer of its own.
    const auto mine = ptr<int>(fabric::address(w.rank(), 1, 64));
    const auto before = atomic_ref(w, head.on(0)).exchange(mine);
    EXPECT_NE(before, mine);
    auto expected = colour::red;
    const bool first = atomic_ref(w, flag.on(0)).compare_exchange(expected, colour::green);
    EXPECT_EQ(expected, first ? colour::red : colour::green);
    meet(w);
    EXPECT_EQ(atomic_ref(w, flag.on(0)).load(), colour::green);
  });
}

TEST_P(atomic_ref_test, compare_exchange_reports_what_it_found) {
  run([](world& w) {
    const auto p = allocate<std::uint32_t>(w, static_cast<std::uint64_t>(w.size()));
    meet(w);
    const atomic_ref word(w, p.on(right_of(w)) + w.rank());
    std::uint32_t expected = 1;
    EXPECT_FALSE(word.compare_exchange(expected, 2));
    EXPECT_EQ(expected, 0u);
    EXPECT_TRUE(word.compare_exchange(expected, 0xffffffff));
    EXPECT_EQ(expected, 0u);
    EXPECT_FALSE(word.compare_exchange(expected, 7));
    EXPECT_EQ(expected, 0xffffffff);
    meet(w);
  });
}

TEST_P(atomic_ref_test, counts_exactly_under_contention) {
  run([](world& w) {
    const int rounds = test::rounds_in_sim(w, 16, 30);  // includes failed tries
    const auto sum = allocate<std::int64_t>(w);
    const auto real = allocate<double>(w);
    const auto high = allocate<std::uint32_t>(w);
    const auto owned = allocate<std::uint64_t>(w);
    meet(w);
    std::vector<future<std::int64_t>> later;
    for (int i = 0; i < rounds; ++i) {
      atomic_ref(w, sum.on(0)).add(2);
      later.push_back(atomic_ref(w, sum.on(0)).fetch_sub_async(1));
      atomic_ref(w, real.on(0)).fetch_add(0.5);
      atomic_ref(w, high.on(0)).fetch_max(static_cast<std::uint32_t>(i * w.size() + w.rank()));
      // A lock-free increment, in which the owner takes part too.
      std::uint64_t seen = atomic_ref(w, owned.on(0)).load();
      while (!atomic_ref(w, owned.on(0)).compare_exchange(seen, seen + 1)) {
      }
    }
    for (auto& f : later) (void)f.get();
    meet(w);
    EXPECT_EQ(atomic_ref(w, sum.on(0)).load(), rounds * w.size());
    EXPECT_EQ(atomic_ref(w, real.on(0)).load(), 0.5 * rounds * w.size());
    EXPECT_EQ(atomic_ref(w, high.on(0)).load(), static_cast<std::uint32_t>(rounds * w.size() - 1));
    EXPECT_EQ(get(w, owned.on(0)), static_cast<std::uint64_t>(rounds * w.size()));
    meet(w);
  });
}

TEST_P(atomic_ref_test, threads_of_a_rank_count_too) {
  run([](world& w) {
    constexpr int threads = 3;
    const auto sum = allocate<std::uint32_t>(w);
    meet(w);
    w.threads(threads, [&](world& world) {
      for (int i = 0; i < 20; ++i) atomic_ref(world, sum.on(0)).fetch_add(1);
    });
    meet(w);
    EXPECT_EQ(atomic_ref(w, sum.on(0)).load(), static_cast<std::uint32_t>(20 * threads * w.size()));
    meet(w);
  });
}

// Release and acquire: a rank that acquires the lock sees what its last holder put.
TEST_P(atomic_ref_test, a_spin_lock_guards_plain_data) {
  run([](world& w) {
    const int rounds = test::rounds_in_sim(w, 6, 20);
    const auto lock = allocate<std::uint32_t>(w);
    const auto value = allocate<std::uint64_t>(w);
    meet(w);
    const atomic_ref flag(w, lock.on(0));
    for (int i = 0; i < rounds; ++i) {
      fabric::backoff backoff;
      while (flag.exchange(1) != 0) w.context().pause(backoff);
      put(w, value.on(0), get(w, value.on(0)) + 1);
      flag.store(0);
    }
    meet(w);
    EXPECT_EQ(get(w, value.on(0)), static_cast<std::uint64_t>(rounds * w.size()));
    meet(w);
  });
}

TEST_P(atomic_ref_test, bad_words_are_refused) {
  run([](world& w) {
    const auto p = allocate<std::uint64_t>(w, 4);
    meet(w);
    const auto crooked = ptr<std::uint64_t>(p.address() + 4);
    // The verbs always check; the inline path does so in debug builds only.
    for (const bool wake : {true, false}) {
      if (!wake && w.fabric().coherent() && !base::debug_checks) continue;
      const auto ref = [&](ptr<std::uint64_t> place) {
        const atomic_ref word(w, place);
        return wake ? word.waking() : word;
      };
      EXPECT_THROW((void)ref(crooked).load(), bad_argument);
      EXPECT_THROW(ref(crooked).store(1), bad_argument);
      EXPECT_THROW(ref(crooked).fetch_min(1), bad_argument);
      EXPECT_THROW((void)ref(crooked).fetch_add_async(1), bad_argument);
      EXPECT_THROW(ref(p + 100'000).fetch_add(1), out_of_bounds);
      EXPECT_THROW(ref(ptr<std::uint64_t>()).add(1), out_of_bounds);
      EXPECT_THROW((void)ref(p.on(w.size())).exchange_async(1), out_of_bounds);
    }
    meet(w);
  });
}

}  // namespace
}  // namespace far
