#include "far/team/barrier.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"
#include "far/rpc/rpc.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using barrier_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES(barrier_test);

constexpr int two_barriers = 20;  // max operations of a rank

// Each rank puts to all others (to some in a large simulated job) without waiting; after the
// barrier all see the data.
TEST_P(barrier_test, orders_puts_before_gets) {
  run_placed([](world& w) {
    const auto board = allocate<std::uint64_t>(w, static_cast<std::uint64_t>(w.size()));
    barrier(w);
    const int others = test::rounds_in_sim(w, 4, w.size());
    const int rounds = test::rounds_in_sim(w, 2 * others + two_barriers, 20);
    for (int round = 1; round <= rounds; ++round) {
      const auto news = static_cast<std::uint64_t>(round * 100 + w.rank());
      for (int i = 0; i < others; ++i) {
        const int to = (w.rank() + i) % w.size();
        const put_part part{(board.on(to) + w.rank()).address(), &news, sizeof(news)};
        w.context().put({&part, 1});
      }
      barrier(w);
      for (int i = 0; i < others; ++i) {
        const int from = (w.rank() + w.size() - i) % w.size();
        ASSERT_EQ(get(w, board + from), static_cast<std::uint64_t>(round * 100 + from));
      }
      barrier(w);
    }
  });
}

TEST_P(barrier_test, flushes_what_is_under_way) {
  run_placed([](world& w) {
    constexpr std::size_t length = 300;
    const auto inbox = allocate<std::uint32_t>(w, length);
    std::vector<std::uint32_t> news(length);
    barrier(w);
    const int rounds = test::rounds_in_sim(w, two_barriers + 3, 10);
    for (int round = 1; round <= rounds; ++round) {
      std::fill(news.begin(), news.end(), static_cast<std::uint32_t>(round));
      const auto part = put_part_of(inbox.on((w.rank() + 1) % w.size()), news);
      w.context().put({&part, 1});
      barrier(w);
      for (const std::uint32_t x : local_span(w, inbox, length)) {
        ASSERT_EQ(x, static_cast<std::uint32_t>(round));
      }
      barrier(w);
    }
  });
}

TEST_P(barrier_test, lets_nobody_through_early) {
  run_placed([](world& w) {
    const auto n = static_cast<std::uint64_t>(w.size());
    const auto count = allocate<std::uint64_t>(w);
    barrier(w);
    const atomic_ref<std::uint64_t> arrived(w, count.on(0));
    const auto rounds = static_cast<std::uint64_t>(test::rounds_in_sim(w, two_barriers, 30));
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      arrived.fetch_add(1);
      barrier(w);
      const std::uint64_t seen = arrived.load();
      ASSERT_GE(seen, round * n);
      ASSERT_LE(seen, (round + 1) * n - 1);
    }
  });
}

TEST_P(barrier_test, thousands_back_to_back) {
  const int max = is_simulated() ? 60 : 3000;
  run_placed([max](world& w) {
    const int rounds = test::rounds_in_sim(w, two_barriers / 2, max);
    for (int round = 0; round < rounds; ++round) barrier(w);
  });
}

// Rank 0 arrives last: it first calls the others, which answer from inside the barrier.
TEST_P(barrier_test, handlers_run_while_waiting) {
  run_placed([](world& w) {
    for (int round = 0; round < 5; ++round) {
      if (w.rank() == 0) {
        for (int to = 0; to < w.size(); ++to) {
          EXPECT_EQ(rpc(
                        w, to, [](int x) { return x + 1; }, round)
                        .get(),
                    round + 1);
        }
      }
      barrier(w);
    }
  });
}

TEST_P(barrier_test, one_thread_of_several) {
  run_placed([](world& w) {
    const auto count = allocate<std::uint64_t>(w);
    barrier(w);
    for (int round = 0; round < 3; ++round) {
      w.threads(3, [&](world& world) {
        if (world.thread() != round) return;
        const atomic_ref<std::uint64_t> arrived(world, count.on(0));
        arrived.fetch_add(1);
        barrier(world);
        EXPECT_GE(arrived.load(), static_cast<std::uint64_t>((round + 1) * world.size()));
      });
    }
  });
}

}  // namespace
}  // namespace far
