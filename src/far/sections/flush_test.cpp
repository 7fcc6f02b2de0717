#include "far/rma/flush.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/progress.hpp"
#include "far/sections/accumulate.hpp"
#include "far/sections/read_modify_write.hpp"
#include "far/sections/sections_test.hpp"
#include "far/sections/transfer.hpp"
#include "far/team/barrier.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

constexpr std::uint64_t rows = 6;
constexpr std::uint64_t columns = 100;
constexpr std::uint64_t leading = 128;

/// Patches of large elements, so that a slice fits in no message, and of small ones.
struct large {
  std::uint64_t words[8];
  friend bool operator==(const large&, const large&) = default;
};

class sections_flush_test : public test::on_ranks {
 protected:
  sections_flush_test() { seeds = 60; }
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES_ON(sections_flush_test, 1, 2, 5);

template <class T>
T number(int value) {
  if constexpr (std::is_same_v<T, large>) {
    const auto word = static_cast<std::uint64_t>(value);
    return {{word, word, word, word, word, word, word, word}};
  } else {
    return static_cast<T>(value);
  }
}

/// Puts to a patch on the right, then gets it, without futures.
template <class T>
void put_and_get(world& w) {
  const auto array = allocate<T>(w, rows * leading);
  // Others can write to the second, so that helpers can perform gets into it.
  std::vector<T> own(rows * columns);
  const auto shared = local_span(w, allocate_local<T>(w, rows * columns), rows * columns);
  w.fabric().quiesce(w.context());
  const int right = (w.rank() + 1) % w.size();
  const auto there = patch(array.on(right), rows, columns, leading);
  int value = 0;
  for (const section_protocol how : test::protocols_for(w, array.on(right))) {
    for (const std::span<T> mine : {std::span<T>(own), shared}) {
      const int rank = ++value % 2 == 0 ? fabric::all_ranks : right;
      const T sent = number<T>(value);
      std::ranges::fill(mine, sent);
      (void)put_async(w, there, patch(mine.data(), rows, columns), how);
      flush(w, rank);
      std::ranges::fill(mine, T{});
      (void)get_async(w, there, patch(mine.data(), rows, columns), how);
      flush(w, rank);
      EXPECT_EQ(std::ranges::count(mine, sent), static_cast<std::ptrdiff_t>(mine.size()))
          << sections::name_of(how);
    }
  }
  w.fabric().quiesce(w.context());
}

TEST_P(sections_flush_test, completes_dropped_transfers) {
  run([](world& w) { put_and_get<int>(w); });
}

TEST_P(sections_flush_test, completes_large_ones) {
  seeds = 20;
  run([](world& w) { put_and_get<large>(w); });
}

// Lists of segments of several ranks, accumulates, and updates by helpers.
TEST_P(sections_flush_test, completes_lists_accumulates_and_updates) {
  run([](world& w) {
    constexpr std::uint64_t n = 64;
    const auto array = allocate<long>(w, 4 * n);
    const auto sums = allocate<long>(w, n);
    const auto counter = allocate<std::uint64_t>(w);
    meet(w);
    const int right = (w.rank() + 1) % w.size();
    const std::vector<long> mine(2 * n, w.rank() + 1);
    const auto mine_in_two = std::vector<std::span<const long>>{std::span(mine)};
    std::vector<remote_segment<long>> there;
    for (std::uint64_t i = 0; i < n; ++i) {
      there.push_back({array.on(right) + static_cast<std::int64_t>(4 * i), 1});
      there.push_back({array + static_cast<std::int64_t>(4 * i + 2), 1});
    }
    for (const section_protocol how : {section_protocol::packed, section_protocol::pipelined}) {
      (void)put_async(w, there, mine_in_two, how);
      (void)accumulate_async(w, patch(sums.on(right), 4, n / 4), 1, patch(mine.data(), 4, n / 4),
                             how);
    }
    (void)fetch_add_async(w, counter.on(right), 5, rmw_way::helper);
    flush(w, right);
    EXPECT_EQ(get(w, sums.on(right) + n - 1), 2 * (w.rank() + 1));
    EXPECT_EQ(get(w, counter.on(right)), 5U);
    EXPECT_EQ(get(w, array.on(right) + 4 * (n - 1)), w.rank() + 1);
    flush(w);
    EXPECT_EQ(get(w, array + 4 * (n - 1) + 2), w.rank() + 1);
    meet(w);
  });
}

// The owner sees by plain loads what was put before the barrier.
TEST_P(sections_flush_test, barriers_complete_them) {
  run([](world& w) {
    const auto array = allocate<int>(w, rows * leading);
    const auto own = local_span(w, array, rows * leading);
    barrier(w);
    const int right = (w.rank() + 1) % w.size();
    std::vector<int> mine(rows * columns);
    int value = 0;
    for (const section_protocol how : test::protocols_for(w, array.on(right))) {
      if (how == section_protocol::direct) continue;  // not on all ranks
      std::ranges::fill(mine, ++value);
      (void)put_async(w, patch(array.on(right), rows, columns, leading),
                      patch(mine.data(), rows, columns), how);
      barrier(w);
      EXPECT_EQ(std::ranges::count(own, value), static_cast<std::ptrdiff_t>(rows * columns))
          << sections::name_of(how);
      barrier(w);
    }
    std::ranges::fill(mine, -1);
    (void)put_async(w, patch(array.on(right), rows, columns, leading),
                    patch(mine.data(), rows, columns), section_protocol::packed);
    quiesce(w);
    EXPECT_EQ(std::ranges::count(own, -1), static_cast<std::ptrdiff_t>(rows * columns));
    barrier(w);
  });
}

TEST_P(sections_flush_test, futures_of_flush) {
  run([](world& w) {
    const auto array = allocate<int>(w, rows * leading);
    meet(w);
    const int right = (w.rank() + 1) % w.size();
    const auto there = patch(array.on(right), rows, columns, leading);
    std::vector<int> mine(rows * columns);
    for (int value = 1; value <= 4; ++value) {
      std::ranges::fill(mine, value);
      const int rank = value % 2 == 0 ? fabric::all_ranks : right;
      const auto how = value < 3 ? section_protocol::packed : section_protocol::host_assisted;
      (void)put_async(w, there, patch(mine.data(), rows, columns), how);
      future<void> flushed = flush_async(w, rank);
      future<void> again = flush_async(w, rank);  // some that are in flight together
      const auto last = array.on(right) + (rows - 1) * leading + columns - 1;
      EXPECT_EQ(std::move(flushed).then([&] { return get_async(w, last); }).get(), value);
      again.get();
    }
    // One that nobody waits for.
    std::ranges::fill(mine, 9);
    (void)put_async(w, there, patch(mine.data(), rows, columns), section_protocol::packed);
    (void)flush_async(w);
    flush(w);
    EXPECT_EQ(get(w, array.on(right)), 9);
    meet(w);
  });
}

// A transfer that fails ends, too.
TEST_P(sections_flush_test, ends_with_failures) {
  run([](world& w) {
    const auto array = allocate<int>(w, 100).on((w.rank() + 1) % w.size());
    meet(w);
    const std::vector<int> ones(20, 1);
    try {  // where the owner's node is another one, it refuses
      (void)put_async(w, patch(array + 80, 5, 4, 10), patch(ones.data(), 5, 4),
                      section_protocol::packed);
    } catch (const out_of_bounds&) {
    }
    flush(w);
    meet(w);
    EXPECT_EQ(get(w, array + 80), 0);
    meet(w);
  });
}

}  // namespace
}  // namespace far
