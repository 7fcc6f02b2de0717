// Host-assisted transfers, from and into memory of the segments.

#include "far/sections/assisted.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/sections/sections_test.hpp"
#include "far/sections/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class sections_assisted_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES_ON(sections_assisted_test, 1, 2, 5);

constexpr std::uint64_t room = 1 << 14;

/// The right neighbour's array, and memory of this rank's segments.
struct places {
  explicit places(world& w)
      : there(allocate<std::uint32_t>(w, room).on((w.rank() + 1) % w.size())),
        here(local_span(w, allocate_local<std::uint32_t>(w, room), room)) {}
  ptr<std::uint32_t> there;
  std::span<std::uint32_t> here;
};

template <std::size_t N>
void put_and_get(world& w, const places& at, base::random& random, std::uint64_t max_extent) {
  const auto c = test::random_section<N>(random, max_extent);
  if (std::max(c.elements_there, c.elements_here) > room) return;  // a rare one
  std::vector<std::uint32_t> model(c.elements_there, 3);
  put(w, at.there, model);
  std::iota(at.here.begin(), at.here.end(), std::uint32_t{100});
  put(w, test::there(c, at.there), test::here(c, at.here.data()), section_protocol::host_assisted);
  test::for_each_element(
      c, [&](std::size_t there, std::size_t here) { model[there] = at.here[here]; });
  std::vector<std::uint32_t> seen(c.elements_there);
  get(w, at.there, seen);
  EXPECT_EQ(seen, model) << N << " dimensions";

  std::fill(at.here.begin(), at.here.end(), 5U);
  std::vector<std::uint32_t> expected(at.here.begin(), at.here.end());
  test::for_each_element(
      c, [&](std::size_t there, std::size_t here) { expected[here] = model[there]; });
  get(w, test::there(c, at.there), test::here(c, at.here.data()), section_protocol::host_assisted);
  EXPECT_EQ(std::vector<std::uint32_t>(at.here.begin(), at.here.end()), expected)
      << N << " dimensions";
}

TEST_P(sections_assisted_test, random_sections_between_segments) {
  run([](world& w) {
    const places at(w);
    meet(w);
    base::random random(test::drawn_seed(w));
    const int rounds = test::rounds_in_sim(w, 300, 40);
    for (int i = 0; i < rounds; ++i) {
      switch (random.below(4)) {
        case 0:
          put_and_get<1>(w, at, random, 100);
          break;
        case 1:
          put_and_get<2>(w, at, random, 12);
          break;
        case 2:
          put_and_get<4>(w, at, random, 3);
          break;
        default:
          put_and_get<7>(w, at, random, 1 + random.below(2));
          break;
      }
    }
    meet(w);
  });
}

// More segments than one request may have.
TEST_P(sections_assisted_test, lists_of_many_segments) {
  seeds = 5;
  allowed = test::run_size::any;
  run([](world& w) {
    const places at(w);
    meet(w);
    const std::uint64_t n = w.fabric().name() == "sim" ? 150 : 1300;
    std::vector<remote_segment<std::uint32_t>> there;
    std::vector<std::span<std::uint32_t>> here;
    for (std::uint64_t i = 0; i < n; ++i) {
      there.push_back({at.there + static_cast<std::int64_t>(3 * i), 2});
      here.push_back(at.here.subspan(3 * (n - 1 - i) + 1, 2));
    }
    std::iota(at.here.begin(), at.here.end(), std::uint32_t{0});
    put(w, there, here, section_protocol::host_assisted);
    std::vector<std::uint32_t> seen(room);
    get(w, at.there, seen);
    for (std::uint64_t i = 0; i < n; ++i) {
      ASSERT_EQ(seen[3 * i], 3 * (n - 1 - i) + 1);
      ASSERT_EQ(seen[3 * i + 1], 3 * (n - 1 - i) + 2);
      ASSERT_EQ(seen[3 * i + 2], 0U);
    }
    std::fill(at.here.begin(), at.here.end(), 9U);
    get_async(w, there, here, section_protocol::host_assisted).get();
    for (std::uint64_t i = 0; i < n; ++i) {
      ASSERT_EQ(at.here[3 * i], 9U);
      ASSERT_EQ(at.here[3 * i + 1], 3 * i + 1);
      ASSERT_EQ(at.here[3 * i + 2], 3 * i + 2);
    }
    meet(w);
  });
}

// The owner checks what this rank cannot: nothing is written.
TEST_P(sections_assisted_test, bounds_are_checked_by_the_owner) {
  run([](world& w) {
    const places at(w);
    meet(w);
    std::fill(at.here.begin(), at.here.end(), 1U);
    const auto beyond = patch(at.there + (room - 20), 5, 4, 10);
    const auto mine = patch(at.here.data(), 5, 4);
    EXPECT_THROW(put(w, beyond, mine, section_protocol::host_assisted), out_of_bounds);
    EXPECT_THROW(get(w, beyond, mine, section_protocol::host_assisted), out_of_bounds);
    EXPECT_EQ(at.here[0], 1U);
    EXPECT_EQ(get(w, at.there + (room - 20)), 0U);
    meet(w);
  });
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

// Times by the clock of the paper's machine. Two ranks on different nodes; the target computes, and
// only its service thread answers.
double get_ns(section_protocol how, bool is_busy) {
  double result = 0;
  far::run({.ranks = 4, .mode = job_mode::fibers, .service = true, .profile = "ib-2004-ia64"},
           [&](world& w) {
             constexpr std::uint64_t rows = 256;
             constexpr std::uint64_t columns = 128;
             const auto array = allocate<double>(w, rows * (columns + 8));
             const auto mine = allocate_local<double>(w, rows * columns);
             w.fabric().quiesce(w.context());
             if (w.rank() == 2 && is_busy) w.compute(20'000'000);
             if (w.rank() == 0) {
               const auto there = patch(array.on(2), rows, columns, columns + 8);
               const auto here = patch(local_span(w, mine, rows * columns).data(), rows, columns);
               get(w, there, here, how);
               const std::uint64_t begin = w.now();
               for (int i = 0; i < 4; ++i) get(w, there, here, how);
               result = static_cast<double>(w.now() - begin) / 4;
             }
             w.fabric().quiesce(w.context());
           });
  return result;
}

TEST(sections_helper_test, only_copies_suffer_from_a_busy_target) {
  using enum section_protocol;
  const double assisted = get_ns(host_assisted, false);
  EXPECT_LT(assisted, get_ns(pipelined, false));
  EXPECT_LT(get_ns(pipelined, false), get_ns(packed, false));
  EXPECT_LT(get_ns(host_assisted, true), 1.1 * assisted);
  EXPECT_GT(get_ns(packed, true), 1.3 * get_ns(packed, false));
  EXPECT_NEAR(get_ns(per_segment, true), get_ns(per_segment, false), 1);
}

#endif

}  // namespace
}  // namespace far
