#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

using reallocate_test = test::on_ranks;
INSTANTIATE_FAR_MODES_ON(reallocate_test, 1, 2, 4);

template <class T>
std::vector<T> content(const world& w, ptr<T> p, std::uint64_t n) {
  const auto span = local_span(w, p, n);
  return {span.begin(), span.end()};
}

/// 1, 2, 3, ... up to `filled`, then zeros.
std::vector<int> counted(std::size_t filled, std::size_t n) {
  std::vector<int> result(n, 0);
  std::iota(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(filled), 1);
  return result;
}

void fill(const world& w, ptr<int> p, std::uint64_t n) {
  const auto span = local_span(w, p, n);
  std::iota(span.begin(), span.end(), 1);
}

TEST_P(reallocate_test, alignments_are_chosen_at_run_time) {
  run([](world& w) {
    std::vector<ptr<char>> all;
    const std::uint64_t most = w.fabric().layout().alignment;
    EXPECT_GE(most, 4096u);
    for (std::uint64_t alignment = 1; alignment <= most; alignment *= 2) {
      all.push_back(allocate_aligned<char>(w, 100, alignment));
      EXPECT_EQ(all.back().address().offset() % alignment, 0u);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(local(w, all.back())) % alignment, 0u);
      EXPECT_EQ(content(w, all.back(), 100), std::vector<char>(100, 0));
    }
    for (const std::uint64_t bad :
         {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{48}, 2 * most}) {
      EXPECT_THROW((void)allocate_aligned<char>(w, 1, bad), bad_argument) << bad;
    }
    // The type's own alignment counts, too.
    EXPECT_EQ(allocate_aligned<double>(w, 1, 1).address().offset() % alignof(double), 0u);
    for (const auto p : all) deallocate(w, p);
  });
}

TEST_P(reallocate_test, content_is_kept) {
  run([](world& w) {
    ptr<int> p = allocate<int>(w, 100);
    const auto wall = allocate<int>(w, 1);  // so that it cannot grow in place
    fill(w, p, 100);
    barrier(w);
    const ptr<int> moved = reallocate(w, p, 1000);
    EXPECT_NE(moved, p);
    EXPECT_EQ(content(w, moved, 1000), counted(100, 1000));
    barrier(w);
    const int right = (w.rank() + 1) % w.size();
    EXPECT_EQ(get(w, moved.on(right) + 99), 100);  // all ranks have moved alike
    EXPECT_THROW((void)reallocate(w, p, 10), bad_argument);
    barrier(w);
    p = reallocate(w, moved, 10);
    EXPECT_EQ(p, moved);  // shrinks in place
    EXPECT_EQ(content(w, p, 10), counted(10, 10));
    p = reallocate(w, p, 1000);
    EXPECT_EQ(content(w, p, 1000), counted(10, 1000));  // zeros again
    deallocate(w, p);
    deallocate(w, wall);
  });
}

TEST_P(reallocate_test, grows_in_place_where_it_can) {
  run([](world& w) {
    const auto p = allocate<int>(w, 100);
    const auto behind = allocate<int>(w, 1000);
    const auto wall = allocate<int>(w, 1);
    fill(w, p, 100);
    fill(w, behind, 1000);
    deallocate(w, behind);
    EXPECT_EQ(reallocate(w, p, 500), p);
    EXPECT_EQ(content(w, p, 500), counted(100, 500));
    const ptr<int> aligned = reallocate(w, p, 500, 4096);
    EXPECT_EQ(aligned.address().offset() % 4096, 0u);
    EXPECT_EQ(content(w, aligned, 500), counted(100, 500));
    EXPECT_THROW((void)reallocate(w, aligned, 500, 24), bad_argument);
    EXPECT_EQ(content(w, aligned, 500), counted(100, 500));
    deallocate(w, aligned);
    deallocate(w, wall);
  });
}

TEST_P(reallocate_test, null_allocates_and_failures_change_nothing) {
  run([](world& w) {
    const auto p = reallocate(w, ptr<int>(), 10);
    ASSERT_TRUE(static_cast<bool>(p));
    fill(w, p, 10);
    EXPECT_THROW((void)reallocate(w, p, fabric::address::max_offset), out_of_memory);
    EXPECT_THROW((void)reallocate(w, p + 1, 10), bad_argument);
    EXPECT_EQ(content(w, p, 10), counted(10, 10));
    deallocate(w, reallocate(w, p, 0));
  });
}

/// Random sizes, compared with vectors.
TEST_P(reallocate_test, random_sizes_keep_their_content) {
  run([](world& w) {
    constexpr std::size_t blocks = 4;
    std::vector<ptr<int>> places(blocks);
    std::vector<std::vector<int>> expected(blocks);
    for (std::uint64_t step = 0; step < 60; ++step) {
      const std::uint64_t random = far::base::mix(step);  // the same on all ranks
      const std::size_t which = random % blocks;
      const std::size_t n = random / blocks % 300;
      places[which] = reallocate(w, places[which], n);
      expected[which].resize(n, 0);
      ASSERT_EQ(content(w, places[which], n), expected[which]);
      for (std::size_t i = 0; i < n; ++i) expected[which][i] = static_cast<int>(step * 1000 + i);
      std::copy(expected[which].begin(), expected[which].end(),
                local_span(w, places[which], n).begin());
    }
    for (const auto p : places) deallocate(w, p);
  });
}

}  // namespace
}  // namespace far
