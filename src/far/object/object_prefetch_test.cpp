// Fetches that are started before they are needed.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/part.hpp"
#include "far/object/rooted.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::ref;
using far::test::record;
using far::test::small_space;

class object_prefetch_test : public far::test::on_ranks {
 protected:
  object_prefetch_test() { seeds = 20; }

  static std::vector<far::object_space_options> all_options() {
    auto by_messages = small_space;
    by_messages.replies = far::fetch_replies::messages;
    return {small_space, by_messages};
  }
  /// How often this rank has asked for a region.
  static std::uint64_t fetches(const object_space& space) {
    const std::scoped_lock lock(space.shared_part()->mutex);
    return space.shared_part()->fetches;
  }
};

TEST_P(object_prefetch_test, later_reads_see_the_object) {
  options.symmetric_bytes = std::uint64_t{4} << 20;
  run([](far::world& world) {
    for (const auto& how : all_options()) {
      object_space space(world, how);
      constexpr std::uint64_t length = 10'000;  // two regions
      if (world.rank() == 0) {
        const far::rooted object(space, space.make<record>(record{1u, 1, 2, 3, 0.5}));
        const far::rooted array(space, space.make_array<std::uint64_t>(length));
        space.write(array, length - 1) = 1;
        space.set_root("object", object);
        space.set_root("array", array);
      }
      space.barrier();
      const auto object = space.root<record>("object");
      const auto array = space.root<std::uint64_t[]>("array");
      for (std::uint64_t round = 1; round <= 3; ++round) {
        const std::uint64_t before = fetches(space);
        space.prefetch(object);
        space.prefetch(object);
        const bool is_here = world.rank() == 0;
        const std::uint64_t asked = fetches(space) - before;
        EXPECT_LE(asked, is_here ? 0u : 1u);  // it may have been here
        space.prefetch(array, length - 1);
        space.prefetch(array, 1'000'000);  // beyond the end
        EXPECT_EQ(space.read(object).a, round);
        if (asked == 1) {
          EXPECT_LE(fetches(space) - before, 3u);
        }
        EXPECT_EQ(space.read(array, length - 1), round);
        space.barrier();
        if (world.rank() == static_cast<int>(round) % world.size()) {
          space.prefetch(object);
          space.write(object).a = round + 1;
          space.write(array, length - 1) = round + 1;
        }
        space.barrier();
      }
    }
  });
}

TEST_P(object_prefetch_test, ranges_have_many_regions) {
  options.symmetric_bytes = std::uint64_t{8} << 20;
  run([](far::world& world) {
    constexpr std::uint64_t per_region = far::objects::per_piece(8);
    constexpr std::uint64_t length = 5 * per_region;
    for (const auto& how : all_options()) {
      object_space space(world, how);
      if (world.rank() == 0) {
        const far::rooted array(space, space.make_array<std::uint64_t>(length));
        for (std::uint64_t i = 0; i < length; i += per_region) space.write(array, i) = i + 1;
        space.set_root("array", array);
        space.set_root("object", space.make<record>(record{7u, 1, 2, 3, 0.5}));
      }
      space.barrier();
      const auto array = space.root<std::uint64_t[]>("array");
      const auto object = space.root<record>("object");
      // The object is where the array would go on.
      const std::uint64_t beyond =
          (object.place().offset() - array.place().offset()) / far::objects::block_bytes;
      EXPECT_EQ(array.place().plus(beyond * far::objects::block_bytes), object.place());
      const std::uint64_t before = fetches(space);
      space.prefetch(array, 2 * per_region - 1, 0);
      space.prefetch(array, per_region - 1, 2 * per_region + 1);  // of the first three regions
      const std::uint64_t asked = world.rank() == 0 ? 0 : 3;
      EXPECT_EQ(fetches(space) - before, asked);
      for (std::uint64_t i = 0; i < 3 * per_region; i += per_region) {
        EXPECT_EQ(space.read(array, i), i + 1);
      }
      space.prefetch(array, length - 1, ~std::uint64_t{0});
      space.prefetch(array, ~std::uint64_t{0});
      EXPECT_EQ(space.read(object).a, 7u);
      EXPECT_EQ(space.read(array, 4 * per_region), 4 * per_region + 1);
      EXPECT_THROW((void)space.read(array, length), far::bad_argument);
      space.barrier();
    }
  });
}

TEST_P(object_prefetch_test, ends_when_the_thread_synchronizes) {
  run([](far::world& world) {
    for (const auto& how : all_options()) {
      object_space space(world, how);
      std::vector<far::rooted<record>> mine;
      if (world.rank() == 0) {
        for (int i = 0; i < 50; ++i) mine.emplace_back(space, space.make<record>());
        const auto all = space.make_array<ref<record>>(mine.size());
        for (std::uint64_t i = 0; i < mine.size(); ++i) space.write(all, i) = mine[i];
        space.set_root("all", all);
      }
      space.barrier();
      const auto all = space.root<ref<record>[]>("all");
      for (std::uint64_t round = 1; round <= 3; ++round) {
        for (std::uint64_t i = 0; i < space.size(all); ++i) space.prefetch(space.read(all, i));
        space.barrier();
        for (const auto& object : mine) space.write(object).a = round;
        space.barrier();
        for (std::uint64_t i = 0; i < space.size(all); ++i) {
          EXPECT_EQ(space.read(space.read(all, i)).a, round);
        }
        space.barrier();
        if (round == 2 && world.rank() == 0) space.collect();
      }
    }
  });
}

TEST_P(object_prefetch_test, names_what_is_wrong) {
  run([](far::world& world) {
    object_space space(world, small_space);
    object_space other(world, small_space);
    const far::rooted object(space, space.make<record>());
    EXPECT_THROW(space.prefetch(ref<record>()), far::bad_argument);
    EXPECT_THROW(other.prefetch(object), far::bad_argument);
    space.barrier();
  });
}

INSTANTIATE_FAR_MODES_ON(object_prefetch_test, 3);

}  // namespace
