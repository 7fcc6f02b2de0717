// The claims that a host records for calls whose turn had not come, and when it forgets them.

#include "far/containers/queue/transferred_claims.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "far/containers/queue/ring.hpp"
#include "far/far.hpp"

namespace {

namespace c = far::containers;

TEST(transferred_claims_test, follow_each_other) {
  far::run({.ranks = 1, .mode = far::job_mode::threads}, [](far::world& world) {
    constexpr std::uint64_t cursor = 64;
    c::transferred_claims claims(world.state());
    EXPECT_EQ(claims.end_from(cursor, 3), 3u);
    claims.add(cursor, 5, 7);
    claims.add(cursor, 3, 5);
    claims.add(cursor, 8, 9);
    EXPECT_EQ(claims.end_from(cursor + 1, 3), 3u);  // another cursor's
    EXPECT_EQ(claims.end_from(cursor, 2), 2u);
    EXPECT_EQ(claims.end_from(cursor, 3), 7u);  // up to the gap
    EXPECT_EQ(claims.end_from(cursor, 7), 7u);
    EXPECT_EQ(claims.end_from(cursor, 3), 3u);  // those below 7 are forgotten
    EXPECT_EQ(claims.end_from(cursor, 8), 9u);
    claims.forget(cursor);
    EXPECT_EQ(claims.end_from(cursor, 8), 8u);
  });
}

/// A ring may get the addresses of a destroyed one: no claim of that may move its cursors.
TEST(transferred_claims_test, end_with_their_ring) {
  far::run({.ranks = 2, .mode = far::job_mode::threads}, [](far::world& world) {
    std::uint64_t first = 0;
    for (int turn = 0; turn < 2; ++turn) {
      const c::owned_ring ring(world, 0, 4, sizeof(std::uint64_t), alignof(std::uint64_t),
                               far::amo_domain::cpu, "a ring of the test");
      if (world.rank() != 0) continue;
      auto& claims = world.state().get<c::transferred_claims>();
      const std::uint64_t cursor = ring->ready(world).place().bits();
      if (turn == 0) first = cursor;
      EXPECT_EQ(cursor, first);
      EXPECT_EQ(claims.end_from(cursor, 1), 1u);
      claims.add(cursor, 1, 2);  // as left by a call that its caller settles, without a later call
    }
  });
}

}  // namespace
