// What new objects have in them.

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::ref;
using far::test::node;
using far::test::small_space;

/// Members with initializers, also in a member of a class, and in an array.
struct range {
  std::int32_t begin = -1;
  std::int32_t end = 7;
};
struct account {
  std::uint64_t balance;
  std::uint64_t limit = 100;
  ref<node> owner;
  std::array<range, 2> ranges{};
};

}  // namespace

template <>
struct far::object_type<range> : far::object_fields<range, &range::begin, &range::end> {};
template <>
struct far::object_type<account> : far::object_fields<account, &account::balance, &account::limit,
                                                      &account::owner, &account::ranges> {};

namespace {

class object_values_test : public far::test::on_ranks {
 protected:
  object_values_test() {
    seeds = 5;
    options.symmetric_bytes = std::uint64_t{4} << 20;
  }
};

/// With copies, and without.
std::vector<far::object_space_options> all_options() {
  auto shared = small_space;
  shared.force_protocol = false;
  return {small_space, shared};
}

TEST_P(object_values_test, members_begin_with_their_initializers) {
  run([](far::world& world) {
    for (const auto& how : all_options()) {
      object_space space(world, how);
      constexpr std::uint64_t n = 2000;  // several regions
      if (world.rank() == 0) {
        space.set_root("account", space.make<account>());
        space.set_root("given",
                       space.make<account>(account{.balance = 3, .limit = 4, .owner = {}}));
        space.set_root("accounts", space.make_array<account>(n));
        space.set_root("nodes", space.make_array<node>(3));
      }
      space.barrier();
      const auto expect_fresh = [](const account& a) {
        EXPECT_EQ(a.balance, 0u);
        EXPECT_EQ(a.limit, 100u);
        EXPECT_FALSE(a.owner);
        EXPECT_EQ(a.ranges[1].begin, -1);
        EXPECT_EQ(a.ranges[1].end, 7);
      };
      expect_fresh(space.read(space.root<account>("account")));
      EXPECT_EQ(space.read(space.root<account>("given")).limit, 4u);
      EXPECT_EQ(space.read(space.root<account>("given")).ranges[0].end, 7);
      const auto accounts = space.root<account[]>("accounts");
      const std::uint64_t step = world.fabric().name() == "sim" ? n - 1 : 1;
      for (std::uint64_t i = 0; i < n; i += step) expect_fresh(space.read(accounts, i));
      EXPECT_EQ(space.read(space.root<node[]>("nodes"), 2).key, 0u);
      space.barrier();
    }
  });
}

INSTANTIATE_FAR_MODES_ON(object_values_test, 1, 2, 4);

}  // namespace
