#include "far/rma/flush.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class flush_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES(flush_test);

// Store buffering: each of two ranks puts to its word and, after a flush, gets the other's. It is
// forbidden that neither sees the other's put (axiom 7).
TEST_P(flush_test, store_buffering_is_forbidden) {
  const int rounds = options.mode == job_mode::fibers ? 10 : 3000;
  run([rounds](world& w) {
    const auto n = static_cast<std::uint64_t>(rounds);
    const auto words = allocate<std::uint64_t>(w, n);
    const auto seen = allocate<std::uint64_t>(w, n);
    meet(w);
    const int me = w.rank();
    const int other = w.size() - 1 - me;
    if (me == 0 || other == 0) {
      for (int i = 0; i < rounds; ++i) {
        put(w, words.on(me) + i, 1);
        if (i % 2 == 0) {
          flush(w);
        } else {
          flush(w, me);
        }
        *local(w, seen + i) = get(w, words.on(other) + i);
      }
    }
    meet(w);
    if (me != 0) return;
    for (int i = 0; i < rounds; ++i) {
      EXPECT_FALSE(get(w, seen + i) == 0 && get(w, seen.on(other) + i) == 0) << "round " << i;
    }
  });
}

// Flushed operations are visible to a third rank that is notified of the flush.
TEST_P(flush_test, third_ranks_see_what_was_flushed) {
  run([](world& w) {
    constexpr std::size_t n = 50;
    const auto data = allocate<int>(w, n);
    const auto flag = allocate<std::uint64_t>(w);
    meet(w);
    const int last = w.size() - 1;
    if (w.rank() == 0) {
      const std::vector<int> values(n, 8);
      (void)put_async(w, data.on(w.size() / 2), values);
      flush(w, w.size() / 2);
      notify(w, signal_of(flag.on(last), 1));
    }
    if (w.rank() == last) {
      wait_signal(w, flag, at_least{1});
      std::vector<int> values(n);
      get(w, data.on(w.size() / 2), values);
      EXPECT_EQ(values, std::vector<int>(n, 8));
    }
    meet(w);
  });
}

TEST_P(flush_test, futures_of_flush) {
  run([](world& w) {
    const auto p = allocate<int>(w, 2);
    meet(w);
    const int right = (w.rank() + 1) % w.size();
    (void)put_async(w, p.on(right), 1);
    EXPECT_EQ(flush_async(w, right).then([&] { return get_async(w, p.on(right)); }).get(), 1);
    (void)put_async(w, p.on(right), 2);
    EXPECT_EQ(flush_async(w).then([&] { return get_async(w, p.on(right)); }).get(), 2);
    meet(w);
  });
}

// A get that nobody waits for has its values, also a large one.
TEST_P(flush_test, gets_are_complete) {
  run([](world& w) {
    for (const std::uint64_t n : {1U, 50U, 30000U}) {
      const auto data = allocate<int>(w, n);
      std::ranges::fill(local_span(w, data, n), 7);
      meet(w);
      const int right = (w.rank() + 1) % w.size();
      std::vector<int> values(n);
      (void)get_async(w, data.on(right), values);
      n % 50 == 0 ? flush(w, right) : flush(w);
      EXPECT_EQ(values, std::vector<int>(n, 7));
    }
    meet(w);
  });
}

}  // namespace
}  // namespace far
