#include "far/team/scan.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using scan_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES_ON(scan_test, 1, 2, 3, 5, 8);

/// Composition of maps x -> scale x + shift: associative, not commutative.
struct scan_map {
  std::uint64_t scale = 1;
  std::uint64_t shift = 0;
  bool operator==(const scan_map&) const = default;
};
constexpr auto compose_maps = [](const scan_map& f, const scan_map& g) -> scan_map {
  return {f.scale * g.scale, f.scale * g.shift + f.shift};
};

std::vector<scan_map> scan_maps_of(int rank, std::size_t length) {
  base::random random(length * 1000 + static_cast<std::uint64_t>(rank));
  std::vector<scan_map> result(length);
  for (scan_map& m : result) m = {random() | 1, random()};
  return result;
}

/// `init` composed with the maps of the ranks below `end`.
std::vector<scan_map> composed(scan_map init, int end, std::size_t length) {
  std::vector<scan_map> result(length, init);
  for (int rank = 0; rank < end; ++rank) {
    const std::vector<scan_map> next = scan_maps_of(rank, length);
    for (std::size_t i = 0; i < length; ++i) result[i] = compose_maps(result[i], next[i]);
  }
  return result;
}

constexpr std::size_t sizes[] = {0, 1, 3, 64, 65, 2000};

TEST_P(scan_test, exclusive_of_every_size) {
  run_placed([](world& w) {
    const scan_map init{3, 4};
    for (const std::size_t size : sizes) {
      std::vector<scan_map> list = scan_maps_of(w.rank(), size);
      exclusive_scan(w, list, init, compose_maps);
      ASSERT_EQ(list, composed(init, w.rank(), size));
    }
  });
}

TEST_P(scan_test, inclusive_of_every_size) {
  run_placed([](world& w) {
    for (const std::size_t size : sizes) {
      std::vector<scan_map> list = scan_maps_of(w.rank(), size);
      inclusive_scan(w, list, compose_maps);
      ASSERT_EQ(list, composed({}, w.rank() + 1, size));
    }
  });
}

TEST_P(scan_test, single_values) {
  run_placed([](world& w) {
    const int r = w.rank();
    EXPECT_EQ(exclusive_scan(w, r + 1, 100), 100 + r * (r + 1) / 2);
    EXPECT_EQ(inclusive_scan(w, r + 1), (r + 1) * (r + 2) / 2);
    EXPECT_EQ(exclusive_scan(w, r, -1, [](int a, int b) { return a < b ? b : a; }), r - 1);
  });
}

TEST_P(scan_test, sums_of_teams) {
  run_placed([](world& w) {
    const team half = team::of(w).split(w, w.rank() % 2);
    const int before = half.rank();
    EXPECT_EQ(exclusive_scan(w, 1, 100, half), 100 + before);
    EXPECT_EQ(inclusive_scan(w, 2, half), 2 * (before + 1));
    std::vector<int> list{1, 2};
    exclusive_scan(w, list, 100, half);
    EXPECT_EQ(list, (std::vector{100 + before, 100 + 2 * before}));
    list = {1, 2};
    inclusive_scan(w, list, half);
    EXPECT_EQ(list, (std::vector{before + 1, 2 * (before + 1)}));
  });
}

}  // namespace
}  // namespace far
