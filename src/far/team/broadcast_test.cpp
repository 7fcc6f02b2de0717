#include "far/team/broadcast.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using broadcast_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES_ON(broadcast_test, 1, 2, 3, 5, 8);

std::vector<std::uint8_t> pattern(std::size_t length, int root) {
  base::random random(length * 64 + static_cast<std::uint64_t>(root));
  std::vector<std::uint8_t> result(length);
  for (auto& x : result) x = static_cast<std::uint8_t>(random());
  return result;
}

TEST_P(broadcast_test, every_root_and_size) {
  // Pieces have at least 1 KB here, so the sizes cover no piece, a tree and a chain.
  std::vector<std::size_t> sizes{0, 1, 7, 1024, 1025, 5000, 30'000};
  if (!is_simulated()) sizes.push_back(300'000);
  run_placed([&](world& w) {
    for (const std::size_t size : sizes) {
      for (int root = 0; root < w.size(); ++root) {
        const std::vector<std::uint8_t> expected = pattern(size, root);
        auto list = w.rank() == root ? expected : std::vector<std::uint8_t>(size);
        broadcast(w, list, root);
        ASSERT_EQ(list, expected);
      }
    }
  });
}

struct three_words {
  std::uint64_t a;
  const std::uint64_t b;
  std::uint64_t c;
  bool operator==(const three_words&) const = default;
};

TEST_P(broadcast_test, single_values) {
  run_placed([](world& w) {
    for (int root = 0; root < w.size(); ++root) {
      EXPECT_EQ(broadcast(w, w.rank() * 10, root), root * 10);
      const auto r = static_cast<std::uint64_t>(w.rank());
      const auto e = static_cast<std::uint64_t>(root);
      EXPECT_EQ(broadcast(w, three_words{r, r + 1, r + 2}, root), (three_words{e, e + 1, e + 2}));
    }
    int array[3] = {w.rank(), 1, 2};
    broadcast(w, array, 0);
    EXPECT_EQ(array[0], 0);
  });
}

// The root does not wait: it may be several calls ahead.
TEST_P(broadcast_test, many_in_a_row) {
  run_placed([](world& w) {
    for (int i = 0; i < 100; ++i) ASSERT_EQ(broadcast(w, w.rank() == 0 ? i : -1, 0), i);
  });
}

TEST_P(broadcast_test, the_root_must_be_a_member) {
  run_placed([](world& w) {
    EXPECT_THROW((void)broadcast(w, 1, w.size()), bad_argument);
    EXPECT_THROW((void)broadcast(w, 1, -1), bad_argument);
  });
}

}  // namespace
}  // namespace far
