#include "far/array/array.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class array_test : public test::on_ranks {};
INSTANTIATE_FAR_MODES(array_test);

TEST_P(array_test, elements_are_where_the_formula_says) {
  run([](world& w) {
    for (const unsigned n : {1u, 2u, 5u, 7u, 16u, 100u}) {
      const array<int> a(w, n);
      EXPECT_EQ(a.size(), n);
      const auto ranks = static_cast<unsigned>(w.size());
      const std::uint64_t block = (n + ranks - 1) / ranks;
      for (std::uint64_t i = 0; i < n; ++i) {
        EXPECT_EQ(a.owner(i), static_cast<int>(i / block));
        EXPECT_EQ(a.local_offset(i), i % block);
        EXPECT_EQ(a.place(i).rank(), a.owner(i));
        EXPECT_EQ(a.place(i) - a.place(i / block * block), static_cast<std::int64_t>(i % block));
      }
    }
  });
}

TEST_P(array_test, elements_go_everywhere) {
  run([](world& w) {
    const array<double> a(w, 23);
    for (std::uint64_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.get(i), 0);
    barrier(w);
    // Rank i modulo size puts element i, whichever rank owns it.
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      if (static_cast<int>(i) % w.size() == w.rank()) a.put(i, 0.5 + static_cast<double>(i));
    }
    barrier(w);
    for (std::uint64_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.get(i), 0.5 + static_cast<double>(i));
  });
}

static_assert(std::ranges::random_access_range<array<int>>);
static_assert(std::ranges::sized_range<array_view<double>>);
static_assert(std::same_as<std::ranges::range_value_t<const array<int>>, int>);

TEST_P(array_test, elements_are_a_range) {
  run([](world& w) {
    const array<int> a(w, 19);
    int next = 2 * static_cast<int>(a.local_begin());
    for (int& x : a.local()) {
      x = next;
      next += 2;
    }
    barrier(w);
    const auto found = std::ranges::find_if(a, [](int x) { return x > 20; });
    ASSERT_NE(found, a.end());
    EXPECT_EQ(found.index(), 11u);
    EXPECT_EQ(std::ranges::lower_bound(a, 16) - a.begin(), 8);
    int sum = 0;
    for (const int x : a) sum += x;
    EXPECT_EQ(sum, 18 * 19);
    EXPECT_TRUE(
        std::ranges::equal(a | std::views::reverse | std::views::take(2), std::vector{36, 34}));
    EXPECT_TRUE(std::ranges::empty(array<int>(w, 0)));
  });
}

struct particle {
  std::array<double, 3> position;
  int kind;
};

TEST_P(array_test, elements_may_be_structs) {
  run([](world& w) {
    const array<particle> a(w, 9);
    for (auto [i, p] : a.local_items()) p = {{1, 2, static_cast<double>(i)}, w.rank()};
    barrier(w);
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a.get(i).position[2], static_cast<double>(i));
      EXPECT_EQ(a.get(i).kind, a.owner(i));
    }
  });
}

TEST_P(array_test, local_parts_are_ranges) {
  run([](world& w) {
    const array<std::uint64_t> a(w, 17);
    static_assert(std::ranges::random_access_range<decltype(a.local())>);
    static_assert(std::ranges::random_access_range<decltype(a.local_indices())>);
    static_assert(std::ranges::sized_range<decltype(a.local_items())>);
    EXPECT_EQ(a.local().size(), a.local_end() - a.local_begin());
    EXPECT_EQ(a.local_items().size(), a.local().size());
    for (const std::uint64_t i : a.local_indices()) {
      EXPECT_EQ(a.owner(i), w.rank());
      a.local()[a.local_offset(i)] = i;
    }
    for (auto [i, x] : a.local_items()) {
      EXPECT_EQ(x, i);
      x = i * i;
    }
    auto odd = a.local() | std::views::filter([](std::uint64_t x) { return x % 2 == 1; });
    const auto odds = static_cast<std::uint64_t>(std::ranges::distance(odd));
    EXPECT_EQ(allreduce(w, odds), 8u);
    for (std::uint64_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.get(i), i * i);
    // Every element is in exactly one part.
    EXPECT_EQ(allreduce(w, static_cast<std::uint64_t>(a.local().size())), 17u);
  });
}

TEST_P(array_test, ranges_span_blocks) {
  run([](world& w) {
    const array<int> a(w, 31);
    std::vector<int> all(31);
    std::iota(all.begin(), all.end(), 100);
    if (w.rank() == w.size() - 1) a.put(0, all);
    barrier(w);
    constexpr int starts = 11;
    const int some_starts = test::rounds_in_sim(w, 40, starts);
    for (int i = 0; i < some_starts; ++i) {
      const auto first = static_cast<std::size_t>((w.rank() + i) % starts * 3);
      for (const std::size_t n : {0u, 1u, 7u, 31u}) {
        if (first + n > 31) continue;
        std::vector<int> some(n + 2, -1);
        a.get(first, std::span(some).subspan(1, n));
        EXPECT_EQ(some.front(), -1);
        EXPECT_EQ(some.back(), -1);
        EXPECT_TRUE(std::equal(some.begin() + 1, some.end() - 1, all.begin() + long(first)));
      }
    }
    barrier(w);
    // Each rank overwrites a stretch of its own.
    const int stretch = 31 / w.size();
    const std::vector<int> mine(static_cast<std::size_t>(stretch), w.rank());
    a.put(static_cast<std::uint64_t>(stretch * w.rank()), mine);
    barrier(w);
    a.get(0, all);
    for (int i = 0; i < stretch * w.size(); ++i) {
      EXPECT_EQ(all[static_cast<std::size_t>(i)], i / stretch);
    }
  });
}

TEST_P(array_test, async_elements_and_ranges) {
  run([](world& w) {
    const array<int> a(w, 40);
    std::vector<future<void>> puts;
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      if (static_cast<int>(i) % w.size() == w.rank()) puts.push_back(a.put_async(i, int(i)));
    }
    when_all(w, std::move(puts)).get();
    barrier(w);
    std::vector<int> all(40);
    auto every = a.get_async(0, all);
    auto one = a.get_async(39);
    EXPECT_EQ(one.get(), 39);
    every.get();
    for (int i = 0; i < 40; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
    barrier(w);
    if (w.rank() == 0) a.put_async(1, std::span<const int>(all).first(39)).get();
    barrier(w);
    EXPECT_EQ(a.get(39), 38);
  });
}

TEST_P(array_test, updates_are_atomic) {
  run([](world& w) {
    const array<std::uint32_t> a(w, 10);
    const array<double> d(w, 3);
    const int rounds = test::rounds_in_sim(w, 40, 10);
    for (int round = 0; round < rounds; ++round) {
      for (std::uint64_t i = 0; i < 4; ++i) a.fetch_update(i, 1u, std::plus<>{});
      a.ref(4).fetch_add(2);
      a.fetch_update(5, static_cast<std::uint32_t>(w.rank()), maximum{});
      a.fetch_update(6, 1u, std::bit_xor<std::uint32_t>{});
      a.fetch_update(7, 1u, std::minus<>{});
      a.fetch_update(8, 3u, [](auto x, auto y) { return (x + y) % 7; });
      a.fetch_update(9, 1u << w.rank() % 32, std::bit_or<>{});
      d.fetch_update(0, 0.25, std::plus<>{});
      d.fetch_update(1, -1.0 * w.rank(), minimum{});
      d.fetch_update(2, 2.0, std::multiplies<>{});
    }
    barrier(w);
    const auto calls = static_cast<std::uint32_t>(rounds * w.size());
    for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(a.get(i), calls);
    EXPECT_EQ(a.get(4), 2 * calls);
    EXPECT_EQ(a.get(5), static_cast<std::uint32_t>(w.size() - 1));
    EXPECT_EQ(a.get(6), calls % 2);
    EXPECT_EQ(a.get(7), 0u - calls);
    EXPECT_EQ(a.get(8), 3 * calls % 7);
    EXPECT_EQ(a.get(9), w.size() < 32 ? (1u << w.size()) - 1 : ~0u);
    EXPECT_EQ(d.get(0), 0.25 * calls);
    EXPECT_EQ(d.get(1), 1.0 - w.size());
    EXPECT_EQ(d.get(2), 0);
    barrier(w);
    if (w.rank() == 0) {
      EXPECT_EQ(a.fetch_update(3, 5u, std::plus<>{}), calls);
    }
  });
}

TEST_P(array_test, bounds_are_checked) {
  run([](world& w) {
    const array<int> a(w, 10);
    std::vector<int> buffer(11);
    EXPECT_THROW((void)a.get(10), out_of_bounds);
    EXPECT_THROW(a.put(~std::uint64_t{0}, 1), out_of_bounds);
    EXPECT_THROW((void)a.owner(10), out_of_bounds);
    EXPECT_THROW((void)a.local_offset(10), out_of_bounds);
    EXPECT_THROW((void)a.place(10), out_of_bounds);
    EXPECT_THROW((void)a.ref(10), out_of_bounds);
    EXPECT_THROW((void)a.fetch_update(10, 1, std::plus<>{}), out_of_bounds);
    EXPECT_THROW((void)a.get_async(10), out_of_bounds);
    EXPECT_THROW(a.get(0, buffer), out_of_bounds);
    EXPECT_THROW(a.put(9, std::span(buffer).first(2)), out_of_bounds);
    EXPECT_THROW((void)a.put_async(11, std::span<const int>()), out_of_bounds);
    a.get(10, std::span<int>());
    barrier(w);
    EXPECT_EQ(a.get(9), 0);
  });
}

TEST_P(array_test, empty_arrays_work) {
  run([](world& w) {
    const array<int> a(w, 0);
    EXPECT_TRUE(a.empty());
    EXPECT_TRUE(a.local().empty());
    EXPECT_TRUE(a.local_items().empty());
    a.put(0, std::span<const int>());
    EXPECT_THROW((void)a.get(0), out_of_bounds);
    for_each(a, [](std::uint64_t, int&) { ADD_FAILURE(); });
    fill(a, 3);
    EXPECT_EQ(reduce(a, 7), 7);
  });
}

TEST_P(array_test, threads_have_views_of_their_own) {
  run([](world& w) {
    const array<std::int64_t> a(w, static_cast<std::uint64_t>(test::rounds_in_sim(w, 5, 50)));
    w.threads(3, [&](world& world) {
      const auto mine = a.on(world);
      for (std::uint64_t i = 0; i < mine.size(); ++i) mine.ref(i).add(1);
      EXPECT_EQ(mine.local().data(), a.local().data());
    });
    barrier(w);
    for (std::uint64_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.get(i), 3 * w.size());
  });
}

TEST_P(array_test, moves_but_does_not_copy) {
  run([](world& w) {
    static_assert(!std::is_copy_constructible_v<array<int>>);
    const auto n = static_cast<std::uint64_t>(w.size()) + 7;
    array<int> a(w, n);
    a.put(static_cast<std::uint64_t>(w.rank()), 5);
    barrier(w);
    array<int> b(std::move(a));
    EXPECT_TRUE(a.empty());  // NOLINT: the use after move is intended
    EXPECT_TRUE(a.local().empty());
    EXPECT_EQ(b.get(0), 5);
    array<int> c(w, 3);
    c = std::move(b);
    EXPECT_EQ(c.size(), n);
    EXPECT_EQ(c.get(0), 5);
    std::vector<array<int>> many;
    const int arrays = test::rounds_in_sim(w, 30, 5);
    for (int i = 0; i < arrays; ++i) many.emplace_back(w, 4);
    for (auto& x : many) EXPECT_EQ(x.get(3), 0);
    barrier(w);
  });
}

// Freed memory is used again, and is zero again.
TEST_P(array_test, memory_comes_back) {
  options.symmetric_bytes = 1 << 20;
  seeds = 2;
  run([](world& w) {
    const int rounds = test::rounds_in_sim(w, 27, 20);  // the heap has space for two arrays
    for (int i = 0; i < rounds; ++i) {
      const array<std::uint64_t> a(w, 60'000 * static_cast<std::uint64_t>(w.size()));
      EXPECT_EQ(a.get(a.size() - 1), 0u);
      barrier(w);
      a.local().back() = 1;
    }
  });
}

TEST_P(array_test, one_that_does_not_fit_says_so) {
  options.symmetric_bytes = 1 << 20;
  run([](world& w) {
    EXPECT_THROW(array<int>(w, std::uint64_t{1} << 30), out_of_memory);
    EXPECT_THROW(array<int>(w, ~std::uint64_t{0}), out_of_memory);
    const array<int> a(w, 100);
    EXPECT_EQ(a.get(99), 0);
  });
}

TEST_P(array_test, an_exception_on_one_rank_ends_the_job) {
  EXPECT_THROW(run([](world& w) {
                 const array<int> a(w, 10);
                 if (w.rank() == w.size() - 1) throw std::runtime_error("one of them");
                 barrier(w);
               }),
               std::exception);
}

}  // namespace
}  // namespace far
