// Contexts of threads that the program starts itself. (It is here because it needs operations.)

#include "far/world/thread_context.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/rma.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class thread_context_test : public test::on_ranks {
 protected:
  static constexpr int max_contexts = 6;
  thread_context_test() {
    options.max_contexts = max_contexts;
    seeds = 50;
  }
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }

  using contexts = std::vector<std::unique_ptr<thread_context>>;
  static contexts open(const world& w, int n) {
    contexts all;
    for (int i = 0; i < n; ++i) all.push_back(std::make_unique<thread_context>(w));
    return all;
  }
};
INSTANTIATE_FAR_MODES_ON(thread_context_test, 1, 2, 4);

TEST_P(thread_context_test, as_many_as_asked) {
  run([](world& w) {
    constexpr int n = 20;
    const auto counter = allocate<std::int64_t>(w);
    meet(w);
    {
      const contexts all = open(w, n);
      const auto shared =
          std::count_if(all.begin(), all.end(), [](auto& c) { return c->is_shared(); });
      EXPECT_EQ(shared > 0, !w.fabric().simulated());
      w.fabric().run_threads(w.context(), n, [&](int i) {
        thread_context& mine = *all[static_cast<std::size_t>(i)];
        for (int round = 0; round < 3; ++round) {
          mine.use([&](const world& view) {
            amo_nbi(view, counter.on(right_of(view)), amo_op::add, 1);
          });
          mine.use([&](const world& view) { flush(view); });
        }
      });
    }
    meet(w);
    EXPECT_EQ(get(w, counter), 3 * n);
    // They are free again.
    const contexts few = open(w, max_contexts - 1);
    if (few.size() == max_contexts - 1) {
      EXPECT_FALSE(few.back()->is_shared());
    }
  });
}

TEST_P(thread_context_test, any_thread_opens_and_closes) {
  run([](world& w) {
    constexpr int threads = 8;
    const auto words = allocate<std::int32_t>(w, threads);
    meet(w);
    w.fabric().run_threads(w.context(), threads, [&](int i) {
      for (std::int32_t round = 1; round <= 4; ++round) {
        thread_context mine(w);
        // Its end completes what was started.
        mine.use([&](const world& view) {
          put_nbi(view, words.on(right_of(view)) + i, std::span<const std::int32_t>(&round, 1));
        });
      }
    });
    meet(w);
    for (const std::int32_t last : local_span(w, words, threads)) EXPECT_EQ(last, 4);
  });
}

/// What other threads have started is complete after this thread's quiet, fetched values included.
TEST_P(thread_context_test, quiet_is_of_all_threads) {
  run([](world& w) {
    constexpr int n = 6;
    const auto rows = allocate<std::int32_t>(w, 10 * n);
    const auto counter = allocate<std::int32_t>(w);
    const auto told = allocate<std::uint64_t>(w);
    meet(w);
    const contexts all = open(w, n);
    std::vector<std::vector<std::int32_t>> mine(n);
    std::vector<std::int32_t> tickets(n, -1);
    std::vector<std::int32_t> read(n, -1);
    w.fabric().run_threads(w.context(), n, [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      mine[at].assign(10, 100 * w.rank() + i);
      all[at]->use([&](const world& view) {
        put_nbi(view, rows.on(right_of(view)) + 10 * i, mine[at]);
        amo_nbi(view, counter.on(right_of(view)), amo_op::add, 1, &tickets[at]);
        get_nbi(view, counter.on(view.rank()), std::span(&read[at], 1));
      });
    });
    quiet(w);
    std::sort(tickets.begin(), tickets.end());
    for (int i = 0; i < n; ++i) EXPECT_EQ(tickets[static_cast<std::size_t>(i)], i);
    for (const std::int32_t value : read) EXPECT_GE(value, 0);
    notify(w, signal_of(told.on(right_of(w)), 1));
    wait_signal(w, told, at_least{1});
    const int left = (w.rank() + w.size() - 1) % w.size();
    for (int i = 0; i < 10 * n; ++i) {
      EXPECT_EQ(local_span(w, rows, 10 * n)[static_cast<std::size_t>(i)], 100 * left + i / 10);
    }
    meet(w);
  });
}

}  // namespace
}  // namespace far
