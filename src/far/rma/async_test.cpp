#include "far/rma/async.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/when_all.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class async_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
};
INSTANTIATE_FAR_MODES(async_test);

struct big {
  std::array<double, 9> values;
};

TEST_P(async_test, words_and_futures) {
  run([](world& w) {
    const auto words = allocate<std::uint64_t>(w, 8);
    const auto objects = allocate<big>(w, 2);
    meet(w);
    const auto there = words.on(right_of(w));
    auto word = put_async(w, there + 3, 42);
    auto object = put_async(w, objects.on(right_of(w)) + 1, {{1, 2, 3, 4, 5, 6, 7, 8, 9}});
    word.get();
    object.get();
    EXPECT_EQ(get_async(w, there + 3).get(), 42u);
    EXPECT_EQ(get_async(w, ptr<const big>(objects.on(right_of(w))) + 1).get().values[8], 9);
    EXPECT_EQ(get_async(w, there + 3).then([](std::uint64_t x) { return x + 1; }).get(), 43u);
    meet(w);
  });
}

TEST_P(async_test, bulk_both_ways) {
  run([](world& w) {
    constexpr std::size_t n = 1000;
    const auto p = allocate<int>(w, n);
    meet(w);
    std::vector<int> out(n);
    std::iota(out.begin(), out.end(), w.rank());
    auto sent = put_async(w, p.on(right_of(w)), out);
    sent.wait();
    EXPECT_TRUE(sent.ready());
    std::vector<int> in(n);
    // A chain of put and get: progress starts the get.
    auto all = sent.then([&] { return get_async(w, p.on(right_of(w)), in); });
    all.wait(w);
    EXPECT_EQ(in, out);
    put_async(w, p, std::span<const int>()).get();
    get_async(w, p, std::span<int>()).get();
    meet(w);
  });
}

TEST_P(async_test, lists) {
  run([](world& w) {
    const auto p = allocate<int>(w, static_cast<std::uint64_t>(w.size()));
    meet(w);
    const int mine = 100 + w.rank();
    std::vector<put_part> puts;
    std::vector<get_part> gets;
    std::vector<int> back(static_cast<std::size_t>(test::rounds_in_sim(w, 2, w.size())));
    for (std::size_t i = 0; i < back.size(); ++i) {
      const auto there = p.on((w.rank() + static_cast<int>(i)) % w.size()) + w.rank();
      puts.push_back(put_part_of(there, std::span(&mine, 1)));
      gets.push_back(get_part_of(there, std::span(&back[i], 1)));
    }
    put_async(w, puts).get();
    get_async(w, gets).get();
    EXPECT_TRUE(std::ranges::all_of(back, [&](int x) { return x == mine; }));
    put_async(w, std::span<const put_part>()).get();
    get_async(w, std::span<const get_part>()).get();
    meet(w);
  });
}

TEST_P(async_test, many_at_once) {
  run([](world& w) {
    const int n = test::rounds_in_sim(w, 2, 200);
    const auto p = allocate<int>(w, static_cast<std::uint64_t>(n));
    meet(w);
    std::vector<future<void>> puts;
    for (int i = 0; i < n; ++i) puts.push_back(put_async(w, p.on(right_of(w)) + i, i));
    when_all(w, std::move(puts)).get();
    std::vector<future<int>> gets;
    for (int i = 0; i < n; ++i) gets.push_back(get_async(w, p.on(right_of(w)) + i));
    const auto values = when_all(w, std::move(gets)).get();
    for (int i = 0; i < n; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
    meet(w);
  });
}

TEST_P(async_test, dropped_futures_do_not_stop_operations) {
  run([](world& w) {
    const auto p = allocate<int>(w, 4);
    meet(w);
    (void)put_async(w, p.on(right_of(w)), 5);
    (void)put_async(w, p.on(right_of(w)) + 1, 6).then([] {});
    flush(w);
    meet(w);
    EXPECT_EQ(get(w, p), 5);
    EXPECT_EQ(get(w, p + 1), 6);
    meet(w);
  });
}

TEST_P(async_test, polls_until_ready) {
  run([](world& w) {
    const auto p = allocate<int>(w);
    meet(w);
    future<void> written = put_async(w, p.on(right_of(w)), 7);
    fabric::backoff patience;
    while (!poll(w, written)) w.context().pause(patience);
    EXPECT_TRUE(written.ready());
    future<int> read = get_async(w, p.on(right_of(w)));
    patience = {};
    while (!poll(w, read)) w.context().pause(patience);
    EXPECT_EQ(read.get(), 7);
    meet(w);
  });
}

TEST_P(async_test, errors_come_from_the_call) {
  run([](world& w) {
    const auto p = allocate<std::uint64_t>(w, 4);
    meet(w);
    std::vector<std::uint64_t> buffer(1000);
    EXPECT_THROW((void)put_async(w, p.on(right_of(w)), buffer), out_of_bounds);
    EXPECT_THROW((void)get_async(w, p.on(right_of(w)), buffer), out_of_bounds);
    EXPECT_THROW((void)get_async(w, p.on(w.size()), buffer), out_of_bounds);
    const auto word = p.on((w.rank() + 1) % (w.size() + 1));
    if (word.rank() != w.rank()) {
      EXPECT_THROW((void)put_async(w, p, std::span(buffer).first(1), signal_of(word, 1)), error);
    }
    EXPECT_EQ(get(w, p), 0u);
    meet(w);
  });
}

// In a job that fails, operations in flight never complete, but what they hold is freed.
TEST_P(async_test, failed_jobs_leave_nothing_held) {
  const auto held = std::make_shared<int>(0);
  const auto body = [&](world& w) {
    const auto p = allocate<int>(w, 16);
    const auto never = allocate<std::uint64_t>(w);
    meet(w);
    std::vector<future<int>> gets;
    for (int i = 0; i < 8; ++i) {
      gets.push_back(get_async(w, p.on(right_of(w)) + i).then([held](int x) { return x; }));
    }
    auto all = when_all(w, std::move(gets)).then([held](std::vector<int>) {});
    (void)get_async(w, p).then([&w, p, held](int) { return get_async(w, p); }).then([held](int) {});
    if (w.rank() == 0) throw std::runtime_error("on purpose");
    wait_signal(w, never, at_least{1});
  };
  EXPECT_THROW(run(body), std::exception);
  EXPECT_EQ(held.use_count(), 1);
}

TEST_P(async_test, threads_have_operations_of_their_own) {
  run([](world& w) {
    constexpr int threads = 3;
    const auto p = allocate<int>(w, threads);
    meet(w);
    const int rounds = test::rounds_in_sim(w, 2 * threads, 20);
    w.threads(threads, [&](world& world) {
      const auto there = p.on(right_of(world)) + world.thread();
      for (int i = 1; i <= rounds; ++i) {
        put_async(world, there, i).get();
        EXPECT_EQ(get_async(world, there).get(), i);
      }
    });
    meet(w);
    for (int t = 0; t < threads; ++t) EXPECT_EQ(get(w, p + t), rounds);
  });
}

}  // namespace
}  // namespace far
