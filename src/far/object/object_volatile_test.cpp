#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/rooted.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::ref;
using far::test::node;
using far::test::record;
using far::test::small_space;

class object_volatile_test : public far::test::on_ranks {
 protected:
  object_volatile_test() { seeds = 30; }
};

/// An object of the last rank.
ref<record> shared_record(object_space& space) {
  if (space.world().rank() == space.world().size() - 1) space.set_root("it", space.make<record>());
  space.barrier();
  return space.root<record>("it");
}

// Each rank in turn adds to a plain field, and passes the turn on by a volatile one.
TEST_P(object_volatile_test, hands_over_what_was_written) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto it = shared_record(space);
    const auto turn = space.volatile_field(it, &record::c);
    const auto ranks = static_cast<std::uint32_t>(world.size());
    const auto rounds = static_cast<std::uint32_t>(far::test::rounds_in_sim(world, 50, 5));
    for (std::uint32_t i = 0; i < rounds; ++i) {
      const std::uint32_t mine = i * ranks + static_cast<std::uint32_t>(world.rank());
      while (turn.load() != mine) {
      }
      EXPECT_EQ(space.read(it).a, mine);
      ++space.write(it).a;
      turn.store(mine + 1);
    }
    space.barrier();
    EXPECT_EQ(space.read(it).a, rounds * ranks);
    space.barrier();
  });
}

// Two ranks set their own flags, and then read each other's: one at least sees the other.
TEST_P(object_volatile_test, is_never_stale) {
  run([](far::world& world) {
    if (world.size() < 2) return;
    object_space space(world, small_space);
    const int rounds = far::test::rounds_in_sim(world, 300, 10);
    const auto name = [](int i, int rank) { return "flag" + std::to_string(2 * i + rank); };
    for (int i = 0; i < rounds && world.rank() < 2; ++i) {
      space.set_root(name(i, world.rank()), space.make<record>());
    }
    space.barrier();
    std::vector<ref<record>> own;
    std::vector<ref<record>> others;
    for (int i = 0; i < rounds && world.rank() < 2; ++i) {
      own.push_back(space.root<record>(name(i, world.rank())));
      others.push_back(space.root<record>(name(i, 1 - world.rank())));
    }
    space.barrier();
    std::vector<bool> seen;
    for (std::size_t i = 0; i < own.size(); ++i) {
      space.volatile_field(own[i], &record::a).store(1);
      seen.push_back(space.volatile_field(others[i], &record::a).load() == 1);
    }
    for (std::size_t i = 0; i < own.size(); ++i) space.write(own[i]).b = seen[i] ? 1 : 0;
    space.barrier();
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_TRUE(seen[i] || space.read(others[i]).b == 1) << i;
    }
    space.barrier();
  });
}

TEST_P(object_volatile_test, counts_and_exchanges) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto it = shared_record(space);
    const auto ranks = static_cast<std::uint32_t>(world.size());
    space.volatile_field(it, &record::c).fetch_add(1);
    // A list by compare-exchange, which is Treiber's stack.
    if (world.rank() == 0) space.set_root("head", space.make<node>());
    space.barrier();
    const auto head = space.volatile_field(space.root<node>("head"), &node::next);
    const far::rooted mine(space, space.make<node>());
    space.write(mine).key = static_cast<std::uint64_t>(world.rank());
    ref<node> first = head.load();
    do {
      space.write(mine).next = first;
    } while (!head.compare_exchange(first, mine));
    space.barrier();
    EXPECT_EQ(space.volatile_field(it, &record::c).load(), ranks);
    std::uint64_t sum = 0;
    for (ref<node> at = head.load(); at; at = space.read(at).next) sum += 1 + space.read(at).key;
    EXPECT_EQ(sum, ranks * (ranks + 1) / 2);
    space.barrier();
    if (world.rank() == 0) {
      EXPECT_NE(head.exchange(nullptr), nullptr);
    }
    space.barrier();
    EXPECT_EQ(head.load(), nullptr);
    space.barrier();
  });
}

// Nothing but a volatile field keeps what has been pushed.
TEST_P(object_volatile_test, keeps_what_it_names) {
  run([](far::world& world) {
    object_space space(world, small_space);
    if (world.rank() == 0) space.set_root("head", space.make<node>());
    space.barrier();
    const auto stack = space.root<node>("head");
    const auto head = space.volatile_field(stack, &node::next);
    const auto total = space.volatile_field(stack, &node::key);
    const auto take_all = [&] {
      const far::rooted all(space, head.exchange(nullptr));
      std::uint64_t sum = 0;
      for (ref<node> at = all; at; at = space.read(at).next) sum += space.read(at).key;
      total.fetch_add(sum);
    };
    const auto rounds = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 40, 6));
    for (std::uint64_t i = 1; i <= rounds; ++i) {
      const far::rooted mine(space, space.make<node>());
      space.write(mine).key = i;
      ref<node> first = head.load();
      do {
        space.write(mine).next = first;
      } while (!head.compare_exchange(first, mine));
      if (i % 3 == 0) space.collect();
      if (i % 5 == 0) take_all();
    }
    space.barrier();
    if (world.rank() == 0) take_all();
    space.barrier();
    EXPECT_EQ(total.load(), static_cast<std::uint64_t>(world.size()) * rounds * (rounds + 1) / 2);
    space.barrier();
  });
}

TEST_P(object_volatile_test, refuses_what_is_no_object) {
  run([](far::world& world) {
    object_space space(world, small_space);
    EXPECT_THROW((void)space.volatile_field(ref<record>(), &record::a), far::bad_argument);
    object_space other(world, small_space);
    const auto it = other.make<record>();
    EXPECT_THROW((void)space.volatile_field(it, &record::a), far::bad_argument);
    space.barrier();
  });
}

INSTANTIATE_FAR_MODES_ON(object_volatile_test, 1, 2, 3);

}  // namespace
