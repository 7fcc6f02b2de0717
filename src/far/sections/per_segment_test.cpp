#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/sections/make_plan.hpp"
#include "far/sections/one_sided.hpp"
#include "test/support/forwarding_context.hpp"
#include "test/support/jobs.hpp"

namespace far::sections {
namespace {

/// Keeps the largest list.
class list_meter final : public test::forwarding_context {
 public:
  using forwarding_context::forwarding_context;

  std::size_t longest = 0;
  std::size_t lists = 0;

  void put(std::span<const fabric::put_part> parts, fabric::completion* done,
           fabric::completion* source, const fabric::signal* after) override {
    note(parts.size());
    forwarding_context::put(parts, done, source, after);
  }
  void get(std::span<const fabric::get_part> parts, fabric::completion* done) override {
    note(parts.size());
    forwarding_context::get(parts, done);
  }

 private:
  void note(std::size_t parts) {
    longest = std::max(longest, parts);
    ++lists;
  }
};

class sections_per_segment_test : public test::on_ranks {
 protected:
  sections_per_segment_test() { seeds = 40; }
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES_ON(sections_per_segment_test, 1, 2, 5);

// A column goes in lists of a few segments, of which a few are in flight.
TEST_P(sections_per_segment_test, lists_are_bounded) {
  run([](world& w) {
    constexpr std::uint64_t rows = 45;
    constexpr std::uint64_t most = 7;
    const auto array = allocate<int>(w, 2 * rows).on((w.rank() + 1) % w.size());
    meet(w);
    list_meter meter(w.context());
    {
      world metered(w.state(), meter);
      std::vector<int> mine(rows);
      std::iota(mine.begin(), mine.end(), 1);
      const auto column = [&](const char* what, written target, int* here) {
        return plan_of(what, target, patch(array, rows, 1, 2), patch(here, rows, 1));
      };
      start_put_per_segment(metered, column("put", written::there, mine.data()), most).get();
      EXPECT_EQ(meter.lists, (rows + most - 1) / most);
      std::vector<int> seen(rows);
      start_get_per_segment(metered, column("get", written::here, seen.data()), most).get();
      EXPECT_EQ(seen, mine);
      EXPECT_LE(meter.longest, most + 1);  // and one that the bounds are checked by
      EXPECT_EQ(get(w, array + 1), 0);
      // Lists, of which a piece is several elements.
      std::vector<remote_segment<int>> there;
      for (std::uint64_t i = 0; i + 1 < rows; i += 3) {
        there.push_back({array + static_cast<std::int64_t>(2 * i), 2});
      }
      std::vector<int> pairs(2 * there.size());
      const auto plans = plans_of<int>("get", there, std::vector<std::span<int>>{pairs});
      ASSERT_EQ(plans.size(), 1U);
      start_get_per_segment(metered, plans.front(), 4).get();
      for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_EQ(pairs[2 * i], static_cast<int>(3 * i + 1));
        EXPECT_EQ(pairs[2 * i + 1], 0);
      }
    }
    meet(w);
  });
}

// The end of all lists is checked before the first moves.
TEST_P(sections_per_segment_test, bounds_are_checked_first) {
  run([](world& w) {
    constexpr std::uint64_t rows = 20;
    const auto own = allocate_local<int>(w, rows);
    const auto addresses = allocate<std::uint64_t>(w);
    *local(w, addresses) = own.bits();
    meet(w);
    const auto there = ptr<int>::from_bits(get(w, addresses.on((w.rank() + 1) % w.size())));
    meet(w);
    const std::vector<int> ones(rows, 1);
    // Far behind what any rank has allocated.
    const auto beyond = patch(there, rows, 1, std::uint64_t{1} << 24);
    EXPECT_THROW(start_put_per_segment(
                     w, plan_of("put", written::there, beyond, patch(ones.data(), rows, 1)), 5)
                     .get(),
                 out_of_bounds);
    meet(w);
    EXPECT_EQ(*local(w, own), 0);
    meet(w);
  });
}

}  // namespace
}  // namespace far::sections
