#include "far/array/blocks.hpp"

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"

namespace far::detail {
namespace {

TEST(blocks_test, every_index_has_one_owner) {
  for (std::uint64_t n = 0; n <= 40; ++n) {
    for (int ranks = 1; ranks <= 9; ++ranks) {
      const blocks b(n, ranks);
      EXPECT_EQ(b.begin(0), 0u);
      EXPECT_EQ(b.end(ranks - 1), n);
      for (int r = 0; r < ranks; ++r) {
        EXPECT_LE(b.begin(r), b.end(r));
        EXPECT_LE(b.end(r) - b.begin(r), b.block());
        for (std::uint64_t i = b.begin(r); i < b.end(r); ++i) {
          EXPECT_EQ(b.find(i).rank, r) << i << " of " << n << " on " << ranks;
          EXPECT_EQ(b.find(i).offset, i - b.begin(r));
        }
      }
    }
  }
}

TEST(blocks_test, division_is_exact) {
  base::random random(3);
  for (int round = 0; round < 200'000; ++round) {
    const std::uint64_t n = random() >> (1 + random.below(63));
    if (n == 0) continue;
    const int ranks = 1 + static_cast<int>(random.below(1 << random.below(20)));
    const blocks b(n, ranks);
    std::uint64_t i = random.below(n);
    if (round % 3 == 0) i = std::min(n - 1, i / b.block() * b.block());  // the first of a block
    if (round % 3 == 1) i = std::min(n - 1, i / b.block() * b.block() + b.block() - 1);
    const auto found = b.find(i);
    ASSERT_EQ(static_cast<std::uint64_t>(found.rank), i / b.block()) << i << " by " << b.block();
    ASSERT_EQ(found.offset, i % b.block());
    ASSERT_LT(found.rank, ranks);
  }
}

TEST(blocks_test, bounds_name_index_and_size) {
  const blocks b(10, 3);
  b.check(9);
  b.check(10, 0);
  b.check(0, 10);
  const auto message = [](auto body) -> std::string {
    try {
      body();
    } catch (const out_of_bounds& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(message([&] { b.check(10); }), "element 10 of an array of 10 elements");
  EXPECT_EQ(message([&] { b.check(8, 3); }), "3 elements from element 8 on, of an array of 10");
  EXPECT_THROW(b.check(11, 0), out_of_bounds);
  EXPECT_THROW(b.check(1, ~std::uint64_t{0}), out_of_bounds);
  EXPECT_THROW(blocks(0, 4).check(0), out_of_bounds);
  blocks(0, 4).check(0, 0);
}

}  // namespace
}  // namespace far::detail
