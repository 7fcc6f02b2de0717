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

// Each rank puts to all, and waits for nothing; after the barrier all see it.
TEST_P(barrier_test, orders_puts_before_gets) {
  run_placed([](world& w) {
    const auto n = static_cast<std::uint64_t>(w.size());
    const auto board = allocate<std::uint64_t>(w, n);
    barrier(w);
    for (std::uint64_t round = 1; round <= 20; ++round) {
      const std::uint64_t news = round * 100 + static_cast<std::uint64_t>(w.rank());
      for (int to = 0; to < w.size(); ++to) {
        const put_part part{(board.on(to) + w.rank()).address(), &news, sizeof(news)};
        w.context().put({&part, 1});
      }
      barrier(w);
      for (int from = 0; from < w.size(); ++from) {
        ASSERT_EQ(get(w, board + from), round * 100 + static_cast<std::uint64_t>(from));
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
    for (std::uint32_t round = 1; round <= 10; ++round) {
      std::fill(news.begin(), news.end(), round);
      const auto part = put_part_of(inbox.on((w.rank() + 1) % w.size()), news);
      w.context().put({&part, 1});
      barrier(w);
      for (const std::uint32_t x : local_span(w, inbox, length)) ASSERT_EQ(x, round);
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
    for (std::uint64_t round = 1; round <= 30; ++round) {
      arrived.fetch_add(1);
      barrier(w);
      const std::uint64_t seen = arrived.load();
      ASSERT_GE(seen, round * n);
      ASSERT_LE(seen, (round + 1) * n - 1);
    }
  });
}

TEST_P(barrier_test, thousands_back_to_back) {
  const int rounds = is_simulated() ? 60 : 3000;
  run_placed([rounds](world& w) {
    for (int round = 0; round < rounds; ++round) barrier(w);
  });
}

// Rank 0 comes last: it calls the others, who answer out of the barrier.
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
    for (int round = 0; round < 3; ++round) {
      w.threads(3, [&](world& view) {
        if (view.thread() == round) barrier(view);
      });
    }
  });
}

}  // namespace
}  // namespace far
