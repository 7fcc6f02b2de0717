#include "far/sections/transfer_group.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/sections/sections_test.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class sections_transfer_group_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES_ON(sections_transfer_group_test, 1, 2, 5);

TEST_P(sections_transfer_group_test, waits_for_all_or_for_one_rank) {
  run([](world& w) {
    constexpr std::uint64_t n = 12;
    const auto array = allocate<int>(w, n * n * static_cast<std::uint64_t>(w.size()));
    // Each rank has a part of every rank's array.
    const auto part_on = [&](int rank) {
      return array.on(rank) + static_cast<std::int64_t>(n * n) * w.rank();
    };
    meet(w);
    std::vector<int> mine(n * n);
    std::iota(mine.begin(), mine.end(), 1);
    const auto protocols = test::protocols_for(w, array.on((w.rank() + 1) % w.size()));
    transfer_group pending(w);
    for (int rank = 0; rank < w.size(); ++rank) {
      const bool is_direct = fabric::reached(w.words(), array.on(rank).address()) != nullptr;
      const auto how = protocols[static_cast<std::size_t>(rank) % protocols.size()];
      pending.put(patch(part_on(rank), n, n / 2, n), patch(mine.data(), n, n / 2, n),
                  how == section_protocol::direct && !is_direct ? section_protocol::packed : how);
    }
    const int one = (w.rank() + 1) % w.size();
    pending.wait(one);
    EXPECT_TRUE(pending.test(one));
    EXPECT_LT(pending.size(), static_cast<std::size_t>(w.size()));
    std::vector<int> seen(n * n);
    get(w, patch(part_on(one), n, n / 2, n), patch(seen.data(), n, n / 2, n));
    for (std::uint64_t i = 0; i < n * n; ++i) ASSERT_EQ(seen[i], i % n < n / 2 ? mine[i] : 0);
    pending.wait();
    EXPECT_EQ(pending.size(), 0U);
    // What is started after a wait comes after it.
    const std::vector<int> ones(n * n, 1);
    for (int rank = 0; rank < w.size(); ++rank) {
      pending.accumulate(patch(part_on(rank), n, n / 2, n), 5, patch(ones.data(), n, n / 2, n));
    }
    const std::vector<remote_segment<int>> there{{part_on(one) + n / 2, 1}};
    pending.put(there, std::vector<std::span<const int>>{std::span(ones).first(1)});
    fabric::backoff patience;
    while (!pending.test()) w.context().pause(patience);
    EXPECT_EQ(pending.size(), 0U);
    pending.get(patch(part_on(one), n, n, n), patch(seen.data(), n, n, n));
    pending.wait();
    EXPECT_EQ(seen[0], 6);
    EXPECT_EQ(seen[n / 2], 1);
    future<void> last = put_async(w, patch(part_on(one), 1, 1), patch(ones.data(), 1, 1));
    patience = {};
    while (!poll(w, last)) w.context().pause(patience);
    last.get();
    EXPECT_THROW(last.get(), bad_argument);
    EXPECT_THROW(pending.add(one, std::move(last)), bad_argument);
    meet(w);
  });
}

// What is in flight ends before the group, however its scope is left: the memory behind it may go.
TEST_P(sections_transfer_group_test, ends_before_the_memory_that_it_uses) {
  struct left : std::exception {};
  seeds = 60;
  run([](world& w) {
    constexpr std::uint64_t n = 12;
    const auto array = allocate<int>(w, n * n);
    std::ranges::fill(local_span(w, array, n * n), 3);
    meet(w);
    const int right = (w.rank() + 1) % w.size();
    const auto there = patch(array.on(right), n, n / 2, n);
    for (const section_protocol how : test::protocols_for(w, array.on(right))) {
      std::vector<int> seen(n * n / 2);
      const auto get_all = [&](bool throws) {
        transfer_group pending(w);
        pending.get(there, patch(seen.data(), n, n / 2), how);
        if (throws) throw left();
      };
      const std::vector<int> all(n * n / 2, 3);
      get_all(false);
      EXPECT_EQ(seen, all);
      std::ranges::fill(seen, 0);
      EXPECT_THROW(get_all(true), left);
      EXPECT_EQ(seen, all);
      // A destructor that runs because of another exception.
      std::ranges::fill(seen, 0);
      try {
        struct at_end {
          std::function<void()> run;
          ~at_end() { run(); }
        } const last{[&] {
          get_all(false);
          EXPECT_EQ(seen, all);
        }};
        throw left();
      } catch (const left&) {
      }
      EXPECT_EQ(seen, all);
    }
    meet(w);
  });
}

// A transfer that fails is told once, and the others end.
TEST_P(sections_transfer_group_test, tells_of_failures) {
  run([](world& w) {
    const auto array = allocate<int>(w, 100).on((w.rank() + 1) % w.size());
    meet(w);
    const std::vector<int> ones(20, 1);
    transfer_group pending(w);
    pending.put(patch(array, 2, 2, 4), patch(ones.data(), 2, 2));
    bool is_told = false;
    try {  // where the owner's node is another one, by wait
      pending.put(patch(array + 80, 5, 4, 10), patch(ones.data(), 5, 4), section_protocol::packed);
      pending.wait();
    } catch (const out_of_bounds&) {
      is_told = true;
    }
    EXPECT_TRUE(is_told);
    pending.wait();
    EXPECT_EQ(pending.size(), 0U);
    meet(w);
    EXPECT_EQ(get(w, array + 5), 1);
    EXPECT_EQ(get(w, array + 80), 0);
    meet(w);
  });
}

}  // namespace
}  // namespace far
