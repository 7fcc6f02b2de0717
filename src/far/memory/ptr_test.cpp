#include "far/memory/ptr.hpp"

#include <array>
#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace far {
namespace {

constexpr fabric::address here(3, 1, 4096);

TEST(ptr_test, arithmetic_counts_elements) {
  ptr<double> p(here);
  EXPECT_EQ((p + 3).address().offset(), 4096u + 3 * sizeof(double));
  EXPECT_EQ(3 + p, p + 3);
  EXPECT_EQ((p + 10) - p, 10);
  EXPECT_EQ(p - (p + 10), -10);
  EXPECT_EQ((p + 10) - 4, p + 6);
  EXPECT_EQ(p++, ptr<double>(here));
  EXPECT_EQ(p, ptr<double>(here) + 1);
  EXPECT_EQ(--p, ptr<double>(here));
  EXPECT_EQ(++p - 1, ptr<double>(here));
  EXPECT_EQ(p--, ptr<double>(here) + 1);
  p += 7;
  p -= 5;
  EXPECT_EQ(p, ptr<double>(here) + 2);
}

TEST(ptr_test, keeps_rank_and_segment) {
  const ptr<int> p(here);
  EXPECT_EQ(p.rank(), 3);
  EXPECT_EQ((p + 1000).rank(), 3);
  EXPECT_EQ((p + 1000).address().segment(), 1);
  const ptr<int> there = p.on(70);
  EXPECT_EQ(there.rank(), 70);
  EXPECT_EQ(there.address().offset(), p.address().offset());
  EXPECT_EQ(there.on(3), p);
  const ptr<int> far_away = p.on(fabric::address::max_ranks - 1);
  EXPECT_EQ(far_away.rank(), fabric::address::max_ranks - 1);
}

TEST(ptr_test, null_is_zero) {
  constexpr ptr<int> null;
  static_assert(!null && null.bits() == 0 && null == nullptr && null == ptr<int>(nullptr));
  EXPECT_TRUE(static_cast<bool>(ptr<int>(here)));
  EXPECT_NE(ptr<int>(here), nullptr);
}

TEST(ptr_test, is_one_word_that_travels) {
  const ptr<int> p(here);
  EXPECT_EQ(ptr<int>::from_bits(p.bits()), p);
  static_assert(std::is_trivially_copyable_v<ptr<int>>);
  static_assert(std::has_unique_object_representations_v<ptr<int>>);
}

TEST(ptr_test, has_an_order_and_a_hash) {
  const ptr<int> p(here);
  EXPECT_LT(p, p + 1);
  EXPECT_LT(p + 1000, p.on(4));
  std::unordered_set<ptr<int>> set;
  for (int rank = 0; rank < 10; ++rank) {
    for (int i = 0; i < 100; ++i) set.insert(p.on(rank) + i * 16);
  }
  EXPECT_EQ(set.size(), 1000u);
  EXPECT_TRUE(set.contains(p.on(9) + 16));
  EXPECT_FALSE(set.contains(p.on(9) + 1));
}

TEST(ptr_test, hash_spreads_page_aligned_places) {
  std::array<int, 64> buckets{};
  for (int rank = 0; rank < 16; ++rank) {
    for (int i = 1; i <= 64; ++i) {
      const ptr<std::byte> p(fabric::address(rank, 0, static_cast<std::uint64_t>(i) * 4096));
      ++buckets[std::hash<ptr<std::byte>>{}(p) % buckets.size()];
    }
  }
  for (const int n : buckets) EXPECT_LT(n, 64);  // 16 on average
}

struct base {};
struct derived : base {};

TEST(ptr_test, converts_as_plain_pointers_do) {
  static_assert(std::is_convertible_v<ptr<int>, ptr<const int>>);
  static_assert(std::is_convertible_v<ptr<int>, ptr<void>>);
  static_assert(std::is_convertible_v<ptr<const int>, ptr<const void>>);
  static_assert(!std::is_convertible_v<ptr<const int>, ptr<int>>);
  static_assert(!std::is_convertible_v<ptr<const int>, ptr<void>>);
  static_assert(!std::is_convertible_v<ptr<int>, ptr<long>>);
  static_assert(!std::is_convertible_v<ptr<void>, ptr<int>>);
  static_assert(!std::is_convertible_v<ptr<derived>, ptr<base>>);
  static_assert(!std::is_convertible_v<fabric::address, ptr<int>>);
  const ptr<int> p(here);
  const ptr<const int> view = p;
  EXPECT_EQ(view.bits(), p.bits());
  const ptr<void> untyped = p;
  EXPECT_EQ(static_pointer_cast<int>(untyped), p);
  EXPECT_EQ(reinterpret_pointer_cast<unsigned char>(p).bits(), p.bits());
}

}  // namespace
}  // namespace far
