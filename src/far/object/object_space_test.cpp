// What every rank sees of every object, on every fabric.

#include "far/object/object_space.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/object/object_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::object_space_options;
using far::ref;
using far::test::node;
using far::test::record;
using far::test::small_space;

/// With copies, fetched one-sided or by messages, and without; in a simulation there are always
/// copies.
std::vector<object_space_options> all_options(const far::world& world) {
  object_space_options by_messages = small_space;
  by_messages.replies = far::fetch_replies::messages;
  object_space_options shared = small_space;
  shared.force_protocol = false;
  if (world.fabric().name() == "sim") return {small_space, by_messages};
  return {small_space, by_messages, shared};
}

class object_space_test : public far::test::on_ranks {
 protected:
  object_space_test() { seeds = 30; }
};

std::string name_of(const char* what, int rank) { return what + std::to_string(rank); }

TEST_P(object_space_test, references_are_words) {
  EXPECT_EQ(sizeof(ref<node>), 8u);
  EXPECT_FALSE(ref<node>());
  const ref<node> some(far::objects::place(3, 5, 4096));
  EXPECT_EQ(some.rank(), 5);
  EXPECT_EQ(ref<node>::from_bits(some.bits()), some);
}

TEST_P(object_space_test, every_rank_sees_every_object) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      const auto mine = space.make<record>(record{7u, 1, 2, 3, 0.5 + world.rank()});
      space.set_root(name_of("record", world.rank()), mine);
      space.barrier();
      for (int r = 0; r < world.size(); ++r) {
        const auto theirs = space.root<record>(name_of("record", r));
        EXPECT_EQ(theirs.rank(), r);
        EXPECT_EQ(space.read(theirs).a, 7u);
        EXPECT_EQ(space.read(theirs).d, 3u);
        EXPECT_EQ(space.read(theirs).e, 0.5 + r);
      }
      space.barrier();
    }
  });
}

TEST_P(object_space_test, lists_cross_ranks) {
  run([](far::world& world) {
    object_space space(world, small_space);
    for (int r = 0; r < world.size(); ++r) {
      if (r == world.rank()) {
        space.set_root("list",
                       space.make<node>(static_cast<std::uint64_t>(r), space.root<node>("list")));
      }
      space.barrier();
    }
    int expected = world.size();
    for (ref<node> at = space.root<node>("list"); at; at = space.read(at).next) {
      EXPECT_EQ(space.read(at).key, static_cast<std::uint64_t>(--expected));
    }
    EXPECT_EQ(expected, 0);
    space.barrier();
  });
}

TEST_P(object_space_test, writers_of_different_fields_lose_nothing) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      const int size = world.size();
      if (world.rank() == 0) space.set_root("record", space.make<record>());
      space.barrier();
      const auto shared = space.root<record>("record");
      for (std::uint64_t round = 1; round <= 3; ++round) {
        // One writes `a`, another `b`, and those that fetch in between change neither.
        if (world.rank() == size - 1) space.write(shared).a = round;
        if (world.rank() == 0) space.write(shared).b = static_cast<std::uint8_t>(round);
        if (world.rank() == size / 2) space.write(shared).d = static_cast<std::uint16_t>(round);
        space.publish();
        (void)space.read(shared).e;
        space.barrier();
        EXPECT_EQ(space.read(shared).a, round);
        EXPECT_EQ(space.read(shared).b, round);
        EXPECT_EQ(space.read(shared).d, round);
        space.barrier();
      }
    }
  });
}

TEST_P(object_space_test, arrays_have_many_regions) {
  options.symmetric_bytes = std::uint64_t{4} << 20;
  run([](far::world& world) {
    const bool simulated = world.fabric().name() == "sim";
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      const std::uint64_t n = simulated ? 300 : 20000;
      if (world.rank() == 0) {
        const auto array = space.make_array<std::uint32_t>(n);
        for (std::uint64_t i = 0; i < n; ++i) {
          space.write(array, i) = static_cast<std::uint32_t>(i);
        }
        space.set_root("array", array);
      }
      space.barrier();
      const auto array = space.root<std::uint32_t[]>("array");
      ASSERT_EQ(space.size(array), n);
      // Each rank changes every size-th element.
      const auto own = static_cast<std::uint64_t>(world.rank());
      const auto step = static_cast<std::uint64_t>(world.size());
      for (std::uint64_t i = own; i < n; i += step) space.write(array, i) += 1;
      space.barrier();
      std::uint64_t seen = 0;
      while (seen < n) {
        for (const std::uint32_t value : space.read_from(array, seen)) {
          if (value != seen + 1) {
            ADD_FAILURE() << "element " << seen << " is " << value;
            break;
          }
          ++seen;
        }
        if (testing::Test::HasFailure()) break;
      }
      space.barrier();
    }
  });
}

TEST_P(object_space_test, empty_arrays_are_objects) {
  run([](far::world& world) {
    auto how = small_space;
    how.heap_bytes = 1 << 16;
    how.collects = false;
    object_space space(world, how);
    std::vector<ref<std::uint64_t[]>> all;
    try {
      for (;;) all.push_back(space.make_array<std::uint64_t>(all.size() % 3));
    } catch (const far::out_of_memory&) {
      // The heap is full to its last bytes.
    }
    space.set_root(name_of("last", world.rank()), all.back());
    space.set_root(name_of("empty", world.rank()), all.at(all.size() - 1 - (all.size() - 1) % 3));
    space.barrier();
    const int next = (world.rank() + 1) % world.size();
    EXPECT_EQ(space.size(space.root<std::uint64_t[]>(name_of("empty", next))), 0u);
    EXPECT_EQ(space.size(space.root<std::uint64_t[]>(name_of("last", next))), (all.size() - 1) % 3);
    space.barrier();
  });
}

TEST_P(object_space_test, ended_threads_leave_no_gaps) {
  run([](far::world& world) {
    auto how = small_space;  // 16 blocks
    how.collects = false;    // else a collection would take the gaps back
    object_space space(world, how);
    for (int i = 0; i < 20; ++i) {
      world.threads(1, [&](far::world& own) {
        auto view = space.on(own);
        view.write(view.make<record>()).a = 1;
      });
    }
    space.barrier();
  });
}

TEST_P(object_space_test, roots_have_names) {
  run([](far::world& world) {
    object_space space(world, small_space);
    EXPECT_FALSE(space.root<node>("nothing"));
    if (world.rank() == 0) space.set_root("value", space.make<std::uint64_t>(41u));
    space.barrier();
    EXPECT_EQ(space.read(space.root<std::uint64_t>("value")), 41u);
    space.barrier();
    if (world.rank() == world.size() - 1) {
      space.set_root("value", space.make<std::uint64_t>(42u));
    }
    space.barrier();
    EXPECT_EQ(space.read(space.root<std::uint64_t>("value")), 42u);
    space.barrier();
  });
}

// Without memory in which they could land, replies come by messages.
TEST_P(object_space_test, replies_need_no_memory) {
  options.local_bytes = 32 << 10;
  run([](far::world& world) {
    object_space space(world, small_space);
    constexpr std::uint64_t n = 3000;
    if (world.rank() == 0) {
      const auto array = space.make_array<std::uint64_t>(n);
      for (std::uint64_t i = 0; i < n; ++i) space.write(array, i) = i;
      space.set_root("array", array);
    }
    space.barrier();
    const auto array = space.root<std::uint64_t[]>("array");
    for (std::uint64_t i = 0; i < n; i += 100) EXPECT_EQ(space.read(array, i), i);
    space.barrier();
  });
}

TEST_P(object_space_test, threads_share_a_rank) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      if (world.rank() == 0) space.set_root("array", space.make_array<std::uint64_t>(64));
      space.barrier();
      const auto array = space.root<std::uint64_t[]>("array");
      const int rounds = far::test::rounds_in_sim(world, 60 * world.size(), 20);
      world.threads(2, [&](far::world& own) {
        auto view = space.on(own);
        const auto mine = static_cast<std::uint64_t>(own.rank() * 2 + own.thread()) % 64;
        for (int i = 0; i < rounds; ++i) {
          const auto lock = view.lock(array);
          view.write(array, mine) += 1;
          (void)view.read(array, (mine + 1) % 64);
        }
      });
      space.barrier();
      std::uint64_t sum = 0;
      for (const std::uint64_t value : space.read_from(array, 0)) sum += value;
      EXPECT_EQ(sum, static_cast<std::uint64_t>(2 * rounds * world.size()));
      space.barrier();
    }
  });
}

/// Not the copies that other views of the rank may go on using.
TEST_P(object_space_test, views_begin_with_what_is_known) {
  run([](far::world& world) {
    auto how = small_space;
    how.protocol = far::object_protocol::invalidate;
    object_space space(world, how);
    if (world.rank() == 0) space.set_root("number", space.make<std::uint64_t>(1u));
    space.barrier();
    auto older = space.on(world);
    const auto number = older.root<std::uint64_t>("number");
    EXPECT_EQ(older.read(number), 1u);
    space.barrier();
    if (world.rank() == 0) space.write(number) = 2;
    space.barrier();
    auto newer = space.on(world);
    EXPECT_EQ(newer.read(number), 2u);
    space.barrier();
  });
}

TEST_P(object_space_test, copies_are_bounded) {
  options.symmetric_bytes = std::uint64_t{8} << 20;
  run([](far::world& world) {
    if (world.fabric().name() == "sim" && world.size() > 4) return;
    object_space_options how = small_space;
    how.heap_bytes = std::uint64_t{4} << 20;
    how.cache_bytes = 64 << 10;
    object_space space(world, how);
    constexpr std::uint64_t n = 40;
    using lump = std::array<std::uint64_t, 100>;
    const auto lumps = space.make_array<ref<lump>>(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      (void)space.make_array<std::byte>(60000);  // each lump is in a block of its own
      space.write(lumps, i) = space.make<lump>();
      space.write(space.read(lumps, i))[3] = i;
    }
    space.set_root(name_of("lumps", world.rank()), lumps);
    space.barrier();
    const auto theirs =
        space.root<ref<lump>[]>(name_of("lumps", (world.rank() + 1) % world.size()));
    const std::uint64_t length = space.size(theirs);
    for (std::uint64_t i = 0; i < length; ++i) {
      EXPECT_EQ(space.read(space.read(theirs, i))[3], i);
      space.refresh();
      space.safe_point();
    }
    space.barrier();
    if (world.size() == 1) return;
    std::string told;
    try {
      for (std::uint64_t i = 0; i < length; ++i) (void)space.read(space.read(theirs, i))[3];
    } catch (const far::out_of_memory& failure) {
      told = failure.what();
    }
    EXPECT_NE(told.find("cache_bytes"), std::string::npos) << told;
    space.barrier();
  });
}

// What a thread reads again, without fetching it, must not keep all copies in use.
TEST_P(object_space_test, safe_points_make_room) {
  options.symmetric_bytes = std::uint64_t{8} << 20;
  run([](far::world& world) {
    if (world.fabric().name() == "sim" && world.size() > 2) return;
    object_space_options how = small_space;
    how.heap_bytes = std::uint64_t{4} << 20;
    how.cache_bytes = 128 << 10;
    object_space space(world, how);
    constexpr std::uint64_t n = 12;
    const auto nodes = space.make_array<ref<node>>(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto large = space.make_array<std::byte>(60000);  // each node is in a block of its own
      space.write(nodes, i) = space.make<node>(i);
      space.set_root(name_of("large", world.rank()) + name_of(" ", static_cast<int>(i)), large);
    }
    space.set_root(name_of("nodes", world.rank()), nodes);
    space.barrier();
    const int other = (world.rank() + 1) % world.size();
    const auto large = [&](int i) {
      return space.root<std::byte[]>(name_of("large", other) + name_of(" ", i));
    };
    const auto theirs = space.root<ref<node>[]>(name_of("nodes", other));
    const std::array<ref<std::byte[]>, 3> arrays{large(0), large(1), large(2)};
    const auto use = [&](auto end) {
      for (int round = 0; round < 3; ++round) {
        for (const auto& array : arrays) {
          for (int again = 0; again < 2; ++again) {
            EXPECT_EQ(space.read(array, 5), std::byte{});
            end();
            for (std::uint64_t i = 0; i < n; ++i) {
              EXPECT_EQ(space.read(space.read(theirs, i)).key, i);
              end();
            }
          }
        }
      }
    };
    use([&] { space.safe_point(); });
    use([&] { space.publish(); });
    space.barrier();
  });
}

INSTANTIATE_FAR_MODES_ON(object_space_test, 1, 2, 4);

}  // namespace
