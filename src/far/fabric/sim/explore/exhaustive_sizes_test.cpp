// Programs with two or three ranks and some thirty operations that the exhaustive search completes.
// Fibers are left out under ThreadSanitizer, which cannot follow them.

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "far/fabric/sim/explore/exhaustive.hpp"
#include "far/fabric/sim/explore/explorer_planted_test.hpp"
#include "far/fabric/sim/simulation.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace far::fabric::sim {
namespace {

using planted::fetch;
using planted::get;

constexpr address word(int rank, std::uint64_t index) {
  return {rank, symmetric_segment, 64 + 8 * index};
}

void put(context& c, address to, std::uint64_t value) {
  completion done;
  const put_part part{to, &value, sizeof(value)};
  c.put({&part, 1}, &done);
  c.wait(done, {"put", to.rank(), to});
}

void put_and_signal(context& c, address to, std::uint64_t value, address flag) {
  completion done;
  const put_part part{to, &value, sizeof(value)};
  const signal after{flag, 1, signal::kind::add};
  c.put({&part, 1}, &done, nullptr, &after);
  c.wait(done, {"put with signal", to.rank(), to});
}

void await(context& c, address flag, std::uint64_t min) {
  c.wait([&] { return c.peek(flag) >= min; }, never, {"signal", -1, flag});
}

exhaustive_result search(int ranks, const planted::body& body) {
  job_options options;
  options.ranks = ranks;
  options.mode = job_mode::fibers;
  options.symmetric_bytes = 8192;
  options.local_bytes = 8192;
  exhaustive_search all({.bounded = 0, .verbs_only = true});
  do {
    simulation(options, all.begin_run()).run(planted::with_context(body));
  } while (all.next_run());
  fmt::print("{} schedules, {} of them repeated\n", all.result().schedules, all.result().repeated);
  return all.result();
}

// 3 ranks, 3 rounds of a put with a signal, a wait and a get: 27 operations.
TEST(exhaustive_sizes_test, a_ring_of_signals) {
  constexpr std::uint64_t rounds = 3;
  const auto all = search(3, [](fabric& rank, context& c) {
    const int me = rank.rank();
    for (std::uint64_t n = 1; n <= rounds; ++n) {
      put_and_signal(c, word((me + 1) % 3, n), 10 * n, word((me + 1) % 3, 0));
      await(c, word(me, 0), n);
      planted::want(10 * n, get(c, word(me, n)), "what came with the signal");
    }
  });
  EXPECT_TRUE(all.complete);
  EXPECT_LT(all.schedules, 10'000u);
}

// A token goes round three times. The only freedom is when its next owner checks.
TEST(exhaustive_sizes_test, a_token) {
  constexpr std::uint64_t rounds = 3;
  const auto all = search(3, [](fabric& rank, context& c) {
    const int me = rank.rank();
    const int next = (me + 1) % 3;
    for (std::uint64_t n = 1; n <= rounds; ++n) {
      if (me != 0 || n > 1) await(c, word(me, 0), me == 0 ? n - 1 : n);
      const std::uint64_t seen = get(c, word(0, 5));
      planted::want(3 * (n - 1) + static_cast<std::uint64_t>(me), seen, "turns before this one");
      put(c, word(0, 5), seen + 1);
      c.amo({.word = word(next, 0), .op = amo_op::add, .wake = true, .operand = 1}, nullptr);
    }
  });
  EXPECT_TRUE(all.complete);
  EXPECT_LT(all.schedules, 10'000u);
}

// A lock that is tried twice, and a counter that it guards, which is read and written.
TEST(exhaustive_sizes_test, a_lock_that_is_tried) {
  for (const int ranks : {2, 3}) {
    const auto all = search(ranks, [](fabric& rank, context& c) {
      std::uint64_t mine = 0;
      for (int tries = 0; tries < (rank.size() == 2 ? 3 : 1); ++tries) {
        const amo_request lock{.word = word(0, 0), .op = amo_op::compare_swap, .operand = 1};
        if (fetch(c, lock) != 0) continue;
        put(c, word(0, 1), get(c, word(0, 1)) + 1);
        put(c, word(0, 0), 0);
        ++mine;
      }
      fetch(c, {.word = word(0, 2), .op = amo_op::add, .operand = mine});
      rank.quiesce(c);
      if (rank.rank() == 0) planted::want(c.peek(word(0, 2)), c.peek(word(0, 1)), "under the lock");
    });
    EXPECT_TRUE(all.complete);
  }
}

// Two producers of two items each and a consumer, with tickets: rank 0 holds the queue.
TEST(exhaustive_sizes_test, a_queue_with_two_producers) {
  constexpr std::uint64_t each = 2;
  const auto all = search(3, [](fabric& rank, context& c) {
    if (rank.rank() == 0) {
      std::uint64_t sum = 0;
      for (std::uint64_t n = 0; n < 2 * each; ++n) {
        await(c, word(0, 10 + n), 1);
        sum += get(c, word(0, 20 + n));
      }
      planted::want(11 + 12 + 21 + 22, sum, "all items");
    } else {
      for (std::uint64_t n = 1; n <= each; ++n) {
        const std::uint64_t ticket =
            fetch(c, {.word = word(0, 0), .op = amo_op::add, .operand = 1});
        const std::uint64_t item = 10 * n + static_cast<std::uint64_t>(rank.rank());
        put_and_signal(c, word(0, 20 + ticket), item, word(0, 10 + ticket));
      }
    }
  });
  EXPECT_TRUE(all.complete);
}

// A ring of two slots from rank 0 to rank 1, five items of two words: both ranks wait for each
// other.
TEST(exhaustive_sizes_test, a_bounded_ring) {
  constexpr std::uint64_t items = 5;
  constexpr std::uint64_t slots = 2;
  const auto all = search(2, [](fabric& rank, context& c) {
    for (std::uint64_t n = 0; n < items; ++n) {
      const std::uint64_t slot = 10 + 2 * (n % slots);
      if (rank.rank() == 0) {
        if (n >= slots) await(c, word(0, 0), n + 1 - slots);
        const std::array<std::uint64_t, 2> item{n, ~n};
        const put_part part{word(1, slot), item.data(), sizeof(item)};
        c.put({&part, 1});
        c.flush();
        c.amo({.word = word(1, 0), .op = amo_op::store, .wake = true, .operand = n + 1}, nullptr);
        c.flush();
      } else {
        await(c, word(1, 0), n + 1);
        planted::want(n, get(c, word(1, slot)), "the item");
        planted::want(~n, get(c, word(1, slot + 1)), "its second half");
        c.amo({.word = word(0, 0), .op = amo_op::store, .wake = true, .operand = n + 1}, nullptr);
        c.flush();
      }
    }
  });
  EXPECT_TRUE(all.complete);
}

}  // namespace
}  // namespace far::fabric::sim
#endif
