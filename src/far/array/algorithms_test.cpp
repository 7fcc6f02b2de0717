#include "far/array/algorithms.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/array/array.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class algorithms_test : public test::on_ranks {};
INSTANTIATE_FAR_MODES(algorithms_test);

TEST_P(algorithms_test, for_each_visits_every_element) {
  run([](world& w) {
    const std::array<unsigned, 3> sizes{20, 1, 3};
    const int some = test::rounds_in_sim(w, 30, static_cast<int>(sizes.size()));
    for (const unsigned n : std::span(sizes).first(static_cast<std::size_t>(some))) {
      const array<std::uint64_t> a(w, n);
      for_each(a, [](std::uint64_t i, std::uint64_t& x) { x += i + 1; });
      for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(a.get(i), i + 1);
    }
  });
}

// The barriers before and after: for_each sees earlier puts, and later gets see its result.
TEST_P(algorithms_test, for_each_is_between_barriers) {
  run([](world& w) {
    const auto n = static_cast<std::uint64_t>(w.size()) + 7;
    const array<int> a(w, n);
    const array<int> b(w, n);
    const int rounds = test::rounds_in_sim(w, 60, 5);
    const auto looks =
        static_cast<std::uint64_t>(test::rounds_in_sim(w, 4 * rounds, static_cast<int>(n)));
    for (int round = 1; round <= rounds; ++round) {
      // Put to another rank's element just before for_each.
      const std::uint64_t victim = n - 1 - static_cast<std::uint64_t>(w.rank());
      a.put(victim, round);
      for_each(a, [&](std::uint64_t i, int& x) {
        if (i >= 7) {
          EXPECT_EQ(x, round);
        }
        x = -round;
      });
      for (std::uint64_t i = 0; i < looks; ++i) EXPECT_EQ(a.get((victim + i) % n), -round);
      fill(b, round);
      EXPECT_EQ(b.get(victim), round);
      EXPECT_EQ(reduce(b, 0), static_cast<int>(n) * round);
    }
  });
}

TEST_P(algorithms_test, fill_sets_every_element) {
  run([](world& w) {
    const array<double> a(w, 25);
    fill(a, 3);
    for (std::uint64_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.get(i), 3);
  });
}

/// Composition of x -> m x + c: associative, not commutative.
struct affine {
  std::uint64_t m;
  std::uint64_t c;
  friend bool operator==(const affine&, const affine&) = default;
};
struct compose {
  affine operator()(const affine& f, const affine& g) const { return {f.m * g.m, g.m * f.c + g.c}; }
};

TEST_P(algorithms_test, reduce_keeps_the_order) {
  run([](world& w) {
    const std::array<unsigned, 5> sizes{1, 2, 4, 9, 30};
    const int some = test::rounds_in_sim(w, 32, static_cast<int>(sizes.size()));
    for (int k = 0; k < some; ++k) {
      const unsigned n = sizes[static_cast<std::size_t>(w.size() + k) % sizes.size()];
      const array<affine> a(w, n);
      for_each(a, [](std::uint64_t i, affine& x) { x = {2 * i + 3, i}; });
      affine expected{5, 1};
      for (std::uint64_t i = 0; i < n; ++i) expected = compose{}(expected, {2 * i + 3, i});
      EXPECT_EQ(reduce(a, {5, 1}, compose{}), expected);
    }
  });
}

TEST_P(algorithms_test, reduce_by_other_operations) {
  run([](world& w) {
    const array<int> a(w, 20);
    for_each(a, [](std::uint64_t i, int& x) { x = static_cast<int>(i * 7 % 20) - 10; });
    EXPECT_EQ(reduce(a, 0), -10);
    EXPECT_EQ(reduce(a, 1000, minimum{}), -10);
    EXPECT_EQ(reduce(a, -1000, maximum{}), 9);
    EXPECT_EQ(reduce(a, 0, [](int x, int y) { return x ^ y; }), [&] {
      int all = 0;
      for (int i = 0; i < 20; ++i) all ^= i * 7 % 20 - 10;
      return all;
    }());
  });
}

TEST_P(algorithms_test, reduce_of_nothing_is_init) {
  run([](world& w) {
    EXPECT_EQ(reduce(array<double>(w, 0), 2.5), 2.5);
    // Fewer elements than ranks: the others contribute nothing.
    const array<int> a(w, 1);
    fill(a, 4);
    EXPECT_EQ(reduce(a, 10, std::multiplies<>{}), 40);
  });
}

}  // namespace
}  // namespace far
