#include "far/sections/read_modify_write.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class sections_read_modify_write_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES_ON(sections_read_modify_write_test, 1, 2, 5);

constexpr rmw_way ways[] = {rmw_way::automatic, rmw_way::fabric, rmw_way::helper};

template <class T>
void count_together(world& w) {
  const auto word = allocate<T>(w, 2).on(0) + 1;
  const auto seen = allocate<std::uint32_t>(w, 1000).on(0);
  w.fabric().quiesce(w.context());
  const int rounds = test::rounds_in_sim(w, 60, 50);
  for (int i = 0; i < rounds; ++i) {
    const T mine = i % 2 == 0 ? fetch_add(w, word, 1, ways[(i + w.rank()) % 3])
                              : fetch_add_async(w, word, 1, ways[(i + w.rank()) % 3]).get();
    ASSERT_LT(mine, static_cast<T>(rounds * w.size()));
    fetch_add(w, seen + static_cast<std::int64_t>(mine), 1, ways[i % 3]);
  }
  w.fabric().quiesce(w.context());
  EXPECT_EQ(get(w, word), static_cast<T>(rounds * w.size()));
  EXPECT_EQ(get(w, word - 1), T{0});
  std::vector<std::uint32_t> each(static_cast<std::size_t>(rounds * w.size()));
  get(w, seen, each);
  EXPECT_EQ(std::count(each.begin(), each.end(), 1U), rounds * w.size());
  w.fabric().quiesce(w.context());
}

TEST_P(sections_read_modify_write_test, both_ways_count_exactly) {
  run([](world& w) {
    count_together<std::int32_t>(w);
    count_together<std::uint64_t>(w);
  });
}

// Each rank puts a number of its own into the word: it comes out once, or is left there.
TEST_P(sections_read_modify_write_test, swaps_lose_nothing) {
  run([](world& w) {
    const auto word = allocate<std::int64_t>(w, 1).on(w.size() - 1);
    const auto out = allocate<std::int32_t>(w, 300).on(0);
    meet(w);
    const int rounds = test::rounds_in_sim(w, 40, 50);
    for (int i = 0; i < rounds; ++i) {
      const std::int64_t mine = 1 + w.rank() * rounds + i;
      const std::int64_t old = i % 2 == 0
                                   ? exchange(w, word, mine, ways[(i + w.rank()) % 3])
                                   : exchange_async(w, word, mine, ways[(i + w.rank()) % 3]).get();
      if (old == 0) continue;
      EXPECT_EQ(exchange(w, out + old, 1, ways[i % 3]), 0);
    }
    meet(w);
    if (w.rank() == 0) {
      EXPECT_EQ(exchange(w, out + get(w, word), 1), 0);
    }
    meet(w);
    std::vector<std::int32_t> each(static_cast<std::size_t>(rounds * w.size()) + 1);
    get(w, out, each);
    EXPECT_EQ(std::count(each.begin(), each.end(), 1), rounds * w.size());
    meet(w);
  });
}

TEST_P(sections_read_modify_write_test, bad_words_are_refused) {
  run([](world& w) {
    const auto words = allocate<std::int64_t>(w, 4).on((w.rank() + 1) % w.size());
    meet(w);
    const auto odd =
        reinterpret_pointer_cast<std::int64_t>(reinterpret_pointer_cast<std::int32_t>(words) + 1);
    EXPECT_THROW(fetch_add(w, odd, 1, rmw_way::helper), bad_argument);
    EXPECT_THROW(fetch_add(w, words + 100'000'000, 1, rmw_way::helper), out_of_bounds);
    EXPECT_THROW(exchange(w, ptr<std::int64_t>(), 1, rmw_way::helper), out_of_bounds);
    meet(w);
    EXPECT_EQ(get(w, words), 0);
    meet(w);
  });
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

// The machine of the paper (section 4.3): 22.1 us by the server, 17.1 by the interface.
TEST(sections_read_modify_write_clock_test, the_cheaper_way_is_taken) {
  for (const char* machine : {"ib-2004-ia32", "ib-2004-ia64"}) {
    far::run({.ranks = 4, .mode = job_mode::fibers, .service = true, .profile = machine},
             [](world& w) {
               const auto word = allocate<std::int64_t>(w, 1).on(2);
               w.fabric().quiesce(w.context());
               if (w.rank() == 0) {
                 const auto time_of = [&](rmw_way how) {
                   const std::uint64_t begin = w.now();
                   fetch_add(w, word, 1, how);
                   return static_cast<double>(w.now() - begin);
                 };
                 EXPECT_NEAR(time_of(rmw_way::fabric), 17'100, 500);
                 EXPECT_NEAR(time_of(rmw_way::helper), 22'100, 500);
                 const rmw_costs costs = costs_of_fetch_add(w, word);
                 EXPECT_EQ(costs.how, rmw_way::fabric);
                 EXPECT_NEAR(costs.fabric, 17'100, 1000);
                 EXPECT_NEAR(costs.helper, 22'100, 2000);
               }
               w.fabric().quiesce(w.context());
             });
  }
}

#endif

}  // namespace
}  // namespace far
