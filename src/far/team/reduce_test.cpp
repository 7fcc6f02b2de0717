#include "far/team/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using reduce_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES_ON(reduce_test, 1, 2, 3, 5, 8);

/// x -> scale x + shift modulo 2^64: composing such maps is associative and not commutative.
struct map {
  std::uint64_t scale;
  std::uint64_t shift;
  bool operator==(const map&) const = default;
};
struct compose {
  map operator()(const map& f, const map& g) const {
    return {f.scale * g.scale, f.scale * g.shift + f.shift};
  }
};

/// The list that a rank passes to a call.
std::vector<map> maps_of(int rank, std::size_t length) {
  base::random random(length * 1000 + static_cast<std::uint64_t>(rank));
  std::vector<map> result(length);
  for (map& m : result) m = {random() | 1, random()};
  return result;
}

std::vector<map> all_composed(int size, std::size_t length) {
  std::vector<map> result = maps_of(0, length);
  for (int rank = 1; rank < size; ++rank) {
    const std::vector<map> next = maps_of(rank, length);
    std::transform(result.begin(), result.end(), next.begin(), result.begin(), compose{});
  }
  return result;
}

TEST_P(reduce_test, allreduce_of_every_size) {
  // With elements of 16 bytes, these sizes use a rendezvous, a tree and shares.
  std::vector<std::size_t> sizes{0, 1, 2, 32, 33, 200, 1500, 4100};
  if (!is_simulated()) sizes.push_back(30'001);
  run_placed([&](world& w) {
    for (const std::size_t size : sizes) {
      std::vector<map> list = maps_of(w.rank(), size);
      allreduce(w, list, compose{});
      ASSERT_EQ(list, all_composed(w.size(), size));
    }
  });
}

TEST_P(reduce_test, reduce_to_every_root) {
  std::vector<std::size_t> sizes{0, 1, 33, 1500};
  if (!is_simulated()) sizes.push_back(20'001);
  run_placed([&](world& w) {
    for (const std::size_t size : sizes) {
      for (int root = 0; root < w.size(); ++root) {
        const std::vector<map> mine = maps_of(w.rank(), size);
        std::vector<map> list = mine;
        reduce(w, list, compose{}, root);
        ASSERT_EQ(list, w.rank() == root ? all_composed(w.size(), size) : mine);
      }
    }
  });
}

TEST_P(reduce_test, single_values) {
  run_placed([](world& w) {
    const int n = w.size();
    EXPECT_EQ(allreduce(w, w.rank() + 1), n * (n + 1) / 2);
    EXPECT_EQ(allreduce(w, w.rank(), maximum{}), n - 1);
    EXPECT_EQ(allreduce(w, -w.rank(), minimum{}), 1 - n);
    EXPECT_EQ(allreduce(w, 0.5), 0.5 * n);
    const int base = n + 3;
    EXPECT_EQ(allreduce(w, 0, [base](int a, int b) { return a + b + base; }), (n - 1) * base);
    EXPECT_EQ(reduce(w, w.rank() + 1, std::plus<>{}, n - 1),
              w.rank() == n - 1 ? n * (n + 1) / 2 : w.rank() + 1);
  });
}

TEST_P(reduce_test, sums_of_teams) {
  run_placed([](world& w) {
    const team half = team::of(w).split(w, w.rank() % 2);
    int expected = 0;
    for (int member = 0; member < half.size(); ++member) expected += half.world_rank(member);
    EXPECT_EQ(allreduce(w, w.rank(), half), expected);
    std::vector<int> list{w.rank(), 1};
    allreduce(w, list, half);
    EXPECT_EQ(list, (std::vector{expected, half.size()}));
    EXPECT_EQ(allreduce(w, w.rank(), std::plus<>{}, half), expected);
  });
}

/// The order that reduce.hpp defines: neighbors in pairs, pairs in fours.
double sum_of_pairs(std::vector<double> values) {
  for (std::size_t step = 1; step < values.size(); step *= 2) {
    for (std::size_t i = 0; i + step < values.size(); i += 2 * step) values[i] += values[i + step];
  }
  return values.front();
}

TEST_P(reduce_test, order_is_fixed) {
  // For such numbers, a different order changes most digits of the sum.
  run_placed([](world& w) {
    std::vector<double> values;
    base::random random(5);
    for (int rank = 0; rank < w.size(); ++rank) {
      const auto exponent = static_cast<int>(random.below(60)) - 30;
      values.push_back(std::ldexp(static_cast<double>(random() >> 11), exponent) *
                       (random.below(2) == 0 ? 1 : -1));
    }
    const double mine = values[static_cast<std::size_t>(w.rank())];
    const double expected = sum_of_pairs(values);
    for (const std::size_t size : {1u, 100u, 3000u, 9000u}) {
      std::vector<double> list(size, mine);
      allreduce(w, list);
      for (const double x : list) ASSERT_EQ(x, expected);
      std::fill(list.begin(), list.end(), mine);
      reduce(w, list, std::plus<>{}, w.size() / 2);
      if (w.rank() == w.size() / 2) {
        for (const double x : list) ASSERT_EQ(x, expected);
      }
    }
  });
}

/// Longer than any piece that the library sends.
struct vast {
  std::uint32_t words[5000];
  static vast all(std::uint32_t x) {
    vast result;
    std::fill(std::begin(result.words), std::end(result.words), x);
    return result;
  }
};
struct add_vast {
  vast operator()(const vast& a, const vast& b) const {
    vast result;
    std::transform(std::begin(a.words), std::end(a.words), std::begin(b.words),
                   std::begin(result.words), std::plus<>{});
    return result;
  }
};

TEST_P(reduce_test, elements_longer_than_pieces) {
  run_placed([](world& w) {
    const auto n = static_cast<std::uint32_t>(w.size());
    const auto r = static_cast<std::uint32_t>(w.rank());
    std::vector<vast> list{vast::all(r), vast::all(r + 1)};
    reduce(w, list, add_vast{}, 0);
    if (r == 0) {
      EXPECT_EQ(list[0].words[4999], n * (n - 1) / 2);
      EXPECT_EQ(list[1].words[0], n * (n + 1) / 2);
    }
    EXPECT_EQ(allreduce(w, vast::all(2), add_vast{}).words[4999], 2 * n);
  });
}

}  // namespace
}  // namespace far
