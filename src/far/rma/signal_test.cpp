#include "far/rma/signal.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class signal_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
  static int left_of(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }

  /// A ring: each rank puts a row to its right neighbour `rounds` times, which acknowledges it.
  template <class Put>
  static void ring(world& w, std::uint64_t rounds, Put put_row) {
    constexpr std::size_t n = 100;
    const auto row = allocate<std::uint64_t>(w, n);
    const auto arrived = allocate<std::uint64_t>(w);
    const auto taken = allocate<std::uint64_t>(w);
    meet(w);
    const auto mine = local_span(w, row, n);
    for (std::uint64_t i = 1; i <= rounds; ++i) {
      const std::vector<std::uint64_t> values(n, 1000 * i + static_cast<std::uint64_t>(w.rank()));
      put_row(row.on(right_of(w)), values, signal_of(arrived.on(right_of(w)), i));
      EXPECT_EQ(wait_signal(w, arrived, at_least{i}), i);
      const std::uint64_t expected = 1000 * i + static_cast<std::uint64_t>(left_of(w));
      EXPECT_TRUE(std::ranges::all_of(mine, [&](auto x) { return x == expected; }));
      notify(w, signal_of(taken.on(left_of(w)), 1, signal::kind::add));
      wait_signal(w, taken, at_least{i});
      flush(w);  // `values` is destroyed now
    }
  }
};
INSTANTIATE_FAR_MODES(signal_test);

TEST_P(signal_test, payload_is_there_before_the_signal) {
  run([](world& w) {
    ring(w, 20, [&](ptr<std::uint64_t> to, std::span<const std::uint64_t> row, const signal& s) {
      put(w, to, row, s);
    });
  });
}

TEST_P(signal_test, non_blocking_puts_signal) {
  run([](world& w) {
    ring(w, 20, [&](ptr<std::uint64_t> to, std::span<const std::uint64_t> row, const signal& s) {
      (void)put_async(w, to, row, s);
    });
  });
}

TEST_P(signal_test, single_objects_signal) {
  run([](world& w) {
    const auto p = allocate<double>(w);
    const auto word = allocate<std::uint64_t>(w);
    meet(w);
    put(w, p.on(right_of(w)), 2.5, signal_of(word.on(right_of(w)), 9));
    EXPECT_EQ(wait_signal(w, word, [](std::uint64_t x) { return x != 0; }), 9u);
    EXPECT_EQ(*local(w, p), 2.5);
    meet(w);
  });
}

TEST_P(signal_test, counts_many_senders) {
  run([](world& w) {
    const auto slots = allocate<int>(w, static_cast<std::uint64_t>(w.size()));
    const auto count = allocate<std::uint64_t>(w);
    meet(w);
    for (int r = 0; r < w.size(); ++r) {
      put(w, slots.on(r) + w.rank(), w.rank() + 1, signal_of(count.on(r), 1, signal::kind::add));
    }
    const auto all = static_cast<std::uint64_t>(w.size());
    EXPECT_EQ(wait_signal(w, count, at_least{all}), all);
    const auto mine = local_span(w, slots, all);
    for (int r = 0; r < w.size(); ++r) EXPECT_EQ(mine[static_cast<std::size_t>(r)], r + 1);
    meet(w);
  });
}

TEST_P(signal_test, notify_wakes) {
  run([](world& w) {
    const auto word = allocate<std::uint64_t>(w);
    meet(w);
    // A token goes around the ring: all ranks but its holder sleep.
    if (w.rank() == 0) notify(w, signal_of(word.on(right_of(w)), 1));
    for (std::uint64_t lap = 1; lap <= 10; ++lap) {
      const std::uint64_t at_zero = w.rank() == 0 ? 1 : 0;
      wait_signal(w, word, at_least{lap});
      if (lap + at_zero <= 10 || w.rank() != 0) {
        notify(w, signal_of(word.on(right_of(w)), lap + at_zero));
      }
    }
    meet(w);
  });
}

TEST_P(signal_test, waking_atomics_wake) {
  run([](world& w) {
    const auto word = allocate<std::uint64_t>(w);
    meet(w);
    for (int r = 0; r < w.size(); ++r) atomic_ref(w, word.on(r)).waking().fetch_add(1);
    const auto all = static_cast<std::uint64_t>(w.size());
    EXPECT_EQ(wait_signal(w, word, at_least{all}), all);
    meet(w);
    atomic_ref(w, word.on(right_of(w))).waking().store(1000);
    wait_signal(w, word, at_least{1000});
    meet(w);
    EXPECT_EQ(atomic_ref(w, word.on(right_of(w))).waking().exchange(2000), 1000u);
    wait_signal(w, word, at_least{2000});
    meet(w);
    atomic_ref(w, word.on(right_of(w))).waking().fetch_max_async(3000).get();
    wait_signal(w, word, at_least{3000});
    meet(w);
    std::uint64_t expected = 3000;
    EXPECT_TRUE(atomic_ref(w, word.on(right_of(w))).waking().compare_exchange(expected, 4000));
    wait_signal(w, word, at_least{4000});
    meet(w);
  });
}

TEST_P(signal_test, deadline_passes) {
  run([](world& w) {
    const auto word = allocate<std::uint64_t>(w);
    EXPECT_EQ(wait_signal(w, word, at_least{1}, w.now()), std::nullopt);
    notify(w, signal_of(word, 3));
    EXPECT_EQ(wait_signal(w, word, at_least{1}, fabric::never), 3u);
  });
}

TEST_P(signal_test, bad_words_are_refused) {
  run([](world& w) {
    const auto word = allocate<std::uint64_t>(w, 2);
    meet(w);
    const auto crooked = ptr<std::uint64_t>(word.address() + 4);
    const auto elsewhere = word.on(w.rank() + 1);
    EXPECT_THROW(wait_signal(w, elsewhere, at_least{1}), bad_argument);
    EXPECT_THROW(wait_signal(w, crooked, at_least{1}), bad_argument);
    EXPECT_THROW(wait_signal(w, ptr<std::uint64_t>(), at_least{1}), error);
    EXPECT_THROW(wait_signal(w, word + 100'000, at_least{1}), out_of_bounds);
    EXPECT_THROW(notify(w, signal_of(crooked, 1)), bad_argument);
    EXPECT_THROW(notify(w, signal_of(word + 100'000, 1)), out_of_bounds);
    EXPECT_THROW(put(w, word, 1, signal_of(crooked, 1)), bad_argument);
    EXPECT_THROW(put(w, word, 1, signal_of(elsewhere, 1)), bad_argument);
    EXPECT_THROW(put(w, word, 1, signal_of(word + 100'000, 1)), out_of_bounds);
    meet(w);
    EXPECT_EQ(get(w, word), 0u);
  });
}

}  // namespace
}  // namespace far
