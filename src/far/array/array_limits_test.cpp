// What arrays refuse, and what their elements' locks and algorithms do at the edges.

#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "far/array/array.hpp"
#include "far/array/cached_array.hpp"
#include "far/array/nd_array.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using array_limits_test = far::test::on_ranks;

TEST_P(array_limits_test, gets_elements_of_all_ranks) {
  run([](far::world& world) {
    const auto n = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 60, 3000));
    const far::array<std::uint64_t> a(world, n);
    for (auto [i, x] : a.local_items()) x = i * i;
    far::barrier(world);
    std::vector<std::uint64_t> indices;
    for (std::uint64_t k = 0; k < n; ++k) indices.push_back((k * 7 + 3) % n);
    indices.push_back(0);  // twice
    const std::vector<std::uint64_t> got = a.get_many(indices);
    ASSERT_EQ(got.size(), indices.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k], indices[k] * indices[k]);
    EXPECT_TRUE(a.get_many(std::vector<std::uint64_t>()).empty());
    indices.back() = n;
    EXPECT_THROW((void)a.get_many(indices), far::out_of_bounds);
    std::vector<std::uint64_t> few(1);
    EXPECT_THROW(a.get_many(indices, std::span<std::uint64_t>(few)), far::bad_argument);
    far::barrier(world);
  });
}

TEST_P(array_limits_test, reduces_small_integers) {
  run([](far::world& world) {
    const far::array<std::uint8_t> a(world, 40);
    far::fill(a, 3);
    EXPECT_EQ(far::reduce(a, std::uint8_t{1}), 121);
  });
}

// Ranks that allocate different sizes would get different places.
TEST_P(array_limits_test, ranks_must_agree_on_the_size) {
  run([](far::world& world) {
    const auto mine = static_cast<std::uint64_t>(100 + world.rank());
    if (world.size() == 1) return;
    EXPECT_THROW(far::array<int>(world, mine), far::bad_argument);
    EXPECT_THROW(far::cached_array<int>(world, mine), far::bad_argument);
    EXPECT_THROW((far::nd_array<int, 2>(world, {mine, 4})), far::bad_argument);
    const far::array<int> a(world, 100);
    EXPECT_EQ(a.size(), 100u);
  });
}

TEST_P(array_limits_test, sizes_that_overflow) {
  run([](far::world& world) {
    for (const std::uint64_t chunk : {~std::uint64_t{0}, std::uint64_t{1} << 61}) {
      for (const bool force : {false, true}) {
        EXPECT_THROW(far::cached_array<std::uint64_t>(
                         world, 100, {.chunk = chunk, .begins = {}, .force_protocol = force}),
                     far::bad_argument);
      }
    }
    EXPECT_THROW(far::cached_array<std::uint64_t>(world, std::uint64_t{1} << 61),
                 far::bad_argument);
    for (const std::uint64_t ghosts : {~std::uint64_t{0}, std::uint64_t{1} << 63}) {
      far::nd_array_options<2> how;
      how.ghosts = {0, ghosts};
      EXPECT_THROW((far::nd_array<int, 2>(world, {8, 8}, how)), far::bad_argument);
    }
  });
}

// On one machine nothing is cached, but locks of elements are messages there, too.
TEST_P(array_limits_test, element_locks_are_granted_while_the_home_hits) {
  run([](far::world& world) {
    const far::cached_array<std::uint32_t> a(world, 64, {.chunk = 4, .begins = {}});
    if (world.rank() == world.size() - 1) {
      {
        auto lock = a.lock_of(0);
        const std::scoped_lock held(lock);
      }
      a.put(1, 1);
    } else if (world.rank() == 0) {
      while (a.get(1) == 0) {
      }
    }
    far::barrier(world);
  });
}

TEST_P(array_limits_test, locks_of_no_array_say_so) {
  run([](far::world& world) {
    const far::element_mutex lock(world, 12345, 0, 7);
    EXPECT_THROW(lock.lock(), far::bad_argument);
    EXPECT_THROW(lock.lock_shared(), far::bad_argument);
    EXPECT_FALSE(lock.try_lock());
    far::barrier(world);
  });
}

/// Not at its identity, with which lines of operands begin.
struct throwing {
  static constexpr std::uint64_t identity = 0;
  std::uint64_t operator()(const std::uint64_t& a, const std::uint64_t& b) const {
    if (b == 13) throw std::runtime_error("an operator");
    return a + b;
  }
};

// Whether or not anything is cached.
TEST(array_limits_death_test, throwing_operators_terminate) {
  GTEST_FLAG_SET(death_test_style, "fast");
  for (const bool force : {false, true}) {
    EXPECT_DEATH(far::run({.ranks = 1, .mode = far::job_mode::threads},
                          [&](far::world& world) {
                            const far::cached_array<std::uint64_t> a(
                                world, 8, {.chunk = 4, .begins = {}, .force_protocol = force});
                            a.apply(0, std::uint64_t{1}, throwing());
                            a.apply(0, std::uint64_t{13}, throwing());
                          }),
                 "an operator");
  }
}

INSTANTIATE_FAR_MODES(array_limits_test);

}  // namespace
