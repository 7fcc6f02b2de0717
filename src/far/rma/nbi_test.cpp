#include "far/rma/nbi.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class nbi_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES(nbi_test);

/// Each rank writes a row of its own to itself and its next neighbours, and reads them back.
TEST_P(nbi_test, flush_completes_all) {
  run([](world& w) {
    constexpr std::size_t n = 40;
    const int near = std::min(w.size(), 8);
    const auto rows = allocate<int>(w, n * static_cast<std::uint64_t>(near));
    meet(w);
    std::vector<int> mine(n);
    std::iota(mine.begin(), mine.end(), 1000 * w.rank());
    const auto row_at = [&](int distance, int rank) {
      return rows.on(rank) + static_cast<std::int64_t>(n) * distance;
    };
    const auto neighbour = [&](int distance) { return (w.rank() + distance) % w.size(); };
    for (int d = 0; d < near; ++d) put_nbi(w, row_at(d, neighbour(d)), mine);
    flush(w);
    std::vector<int> back(n * static_cast<std::size_t>(near), -1);
    for (int d = 0; d < near; ++d) {
      get_nbi(w, row_at(d, neighbour(d)),
              std::span(back).subspan(n * static_cast<std::size_t>(d), n));
    }
    flush(w);
    for (std::size_t i = 0; i < back.size(); ++i) EXPECT_EQ(back[i], mine[i % n]);
    meet(w);
    for (int d = 0; d < near; ++d) {
      const int writer = (w.rank() + w.size() - d) % w.size();
      EXPECT_EQ(*local(w, row_at(d, w.rank()) + 7), 1000 * writer + 7);
    }
  });
}

template <class T>
void fetch_each_operation(const world& w, ptr<T> word) {
  struct one {
    amo_op what;
    T operand;
    T expected;
    T after;
  };
  const T begin = 12;
  const std::array<one, 9> all{{{amo_op::load, 0, 0, 12},
                                {amo_op::add, T(-5), 0, 7},
                                {amo_op::bit_and, 6, 0, 6},
                                {amo_op::bit_or, 9, 0, 15},
                                {amo_op::bit_xor, 5, 0, 10},
                                {amo_op::swap, 3, 0, 3},
                                {amo_op::max, 8, 0, 8},
                                {amo_op::min, T(-1), 0, std::is_signed_v<T> ? T(-1) : T(8)},
                                {amo_op::store, 1, 0, 1}}};
  put(w, word, begin);
  T before = begin;
  for (const one& step : all) {
    std::array<T, 3> around{T(77), T(77), T(77)};  // its neighbours stay untouched
    amo_nbi(w, word, step.what, step.operand, &around[1], step.expected);
    flush(w, word.rank());
    EXPECT_EQ(around, (std::array<T, 3>{T(77), before, T(77)})) << static_cast<int>(step.what);
    EXPECT_EQ(get(w, word), step.after) << static_cast<int>(step.what);
    before = step.after;
  }
  T old = 5;
  amo_nbi(w, word, amo_op::compare_swap, T(9), &old, T(2));  // it is 1
  flush(w);
  EXPECT_EQ(old, T(1));
  EXPECT_EQ(get(w, word), T(1));
  amo_nbi(w, word, amo_op::compare_swap, T(9), &old, T(1));
  flush(w);
  EXPECT_EQ(old, T(1));
  EXPECT_EQ(get(w, word), T(9));
}

TEST_P(nbi_test, atomics_fetch_into_user_memory) {
  run([](world& w) {
    const auto four = allocate<std::int32_t>(w);
    const auto unsigned_four = allocate<std::uint32_t>(w);
    const auto eight = allocate<std::int64_t>(w);
    const auto unsigned_eight = allocate<std::uint64_t>(w);
    const auto real = allocate<double>(w);
    meet(w);
    const int right = (w.rank() + 1) % w.size();
    fetch_each_operation(w, four.on(right));
    fetch_each_operation(w, unsigned_four.on(right));
    fetch_each_operation(w, eight.on(right));
    fetch_each_operation(w, unsigned_eight.on(right));
    double old = 1;
    amo_nbi(w, real.on(right), amo_op::swap, 2.5, &old);
    flush(w);
    EXPECT_EQ(old, 0);
    EXPECT_EQ(get(w, real.on(right)), 2.5);
    EXPECT_THROW(amo_nbi(w, real.on(right), amo_op::add, 1.0), bad_argument);
    meet(w);
  });
}

/// Many are in flight at once; each ticket is drawn once.
TEST_P(nbi_test, atomics_add_up) {
  run([](world& w) {
    constexpr int most = 20;
    const int each = test::rounds_in_sim(w, 4, most);
    const auto counter = allocate<std::int32_t>(w);
    const auto drawn = allocate<std::int32_t>(w, static_cast<std::uint64_t>(most * w.size()));
    meet(w);
    std::vector<std::int32_t> tickets(static_cast<std::size_t>(each), -1);
    for (std::int32_t& ticket : tickets) amo_nbi(w, counter.on(0), amo_op::add, 1, &ticket);
    flush(w, 0);
    for (const std::int32_t ticket : tickets) {
      ASSERT_GE(ticket, 0);
      ASSERT_LT(ticket, each * w.size());
      amo_nbi(w, drawn.on(0) + ticket, amo_op::add, 1);
    }
    flush(w);
    meet(w);
    if (w.rank() != 0) return;
    EXPECT_EQ(*local(w, counter), each * w.size());
    const auto n = static_cast<std::uint64_t>(each * w.size());
    for (const std::int32_t times : local_span(w, drawn, n)) EXPECT_EQ(times, 1);
  });
}

TEST_P(nbi_test, signals_follow_their_payload) {
  run([](world& w) {
    const auto row = allocate<int>(w, 30);
    const auto arrived = allocate<std::uint64_t>(w);
    meet(w);
    const int right = (w.rank() + 1) % w.size();
    const std::vector<int> mine(30, w.rank() + 1);
    put_nbi(w, row.on(right), mine, signal_of(arrived.on(right), 1));
    wait_signal(w, arrived, at_least{1});
    const int left = (w.rank() + w.size() - 1) % w.size();
    for (const int x : local_span(w, row, 30)) EXPECT_EQ(x, left + 1);
    flush(w);
    if (w.size() > 1) {
      EXPECT_THROW(put_nbi(w, row.on(right), mine, signal_of(arrived, 1)), bad_argument);
    }
    EXPECT_THROW(put_nbi(w, row.on(right) + (std::int64_t{1} << 30), mine), out_of_bounds);
    meet(w);
  });
}

}  // namespace
}  // namespace far
