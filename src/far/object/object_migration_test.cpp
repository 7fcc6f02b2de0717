// Regions that only one rank uses migrate to it, and come back when others need them.

#include <array>
#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/rooted.hpp"
#include "far/team/barrier.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_protocol;
using far::object_space;
using far::ref;
using far::test::node;
using far::test::record;
using far::test::small_space;

class object_migration_test : public far::test::on_ranks {
 protected:
  object_migration_test() {
    seeds = 10;
    allowed = far::test::run_size::any;
  }
};

/// An object of rank 0, of which no thread there holds rights.
template <class T>
ref<T> make_migrating(object_space& space, const char* name = "shared") {
  if (space.world().rank() == 0) {
    auto maker = space.on(space.world());
    maker.set_root(name, maker.make<T>());
  }
  space.barrier();
  return space.root<T>(name);
}

bool has_migrated(object_space& space, ref<record> object, int rank) {
  return space.explain(object).find("; migrated to rank " + std::to_string(rank)) !=
         std::string::npos;
}

/// Changes that the home has been told of.
std::string changes_of(object_space& space, ref<record> object) {
  const std::string told = space.explain(object);
  const auto end = told.find(" changes with copies");
  const auto begin = told.rfind(' ', end - 1);
  return told.substr(begin + 1, end - begin - 1);
}

int last_of(const object_space& space) { return space.world().size() - 1; }

/// The last rank changes the object alone, so often.
void change_alone(object_space& space, ref<record> object, int times) {
  if (space.world().rank() == last_of(space)) {
    for (int i = 0; i < times; ++i) {
      ++space.write(object).a;
      space.publish();
    }
  }
}

TEST_P(object_migration_test, a_lone_writer_tells_nobody) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    change_alone(space, object, 5);
    if (world.rank() == last_of(space) && world.size() > 1) {
      EXPECT_TRUE(has_migrated(space, object, world.rank())) << space.explain(object);
      EXPECT_NE(space.explain(object).find("here: the data"), std::string::npos);
      const std::string before = changes_of(space, object);
      change_alone(space, object, 20);
      space.refresh();
      EXPECT_EQ(space.read(object).a, 25u);
      EXPECT_EQ(changes_of(space, object), before);
    } else if (world.size() == 1) {
      change_alone(space, object, 20);
    }
    space.barrier();
    EXPECT_EQ(space.read(object).a, 25u);
    space.barrier();
    if (world.rank() == last_of(space)) ++space.write(object).a;  // nobody's any more
    space.barrier();
    EXPECT_EQ(space.read(object).a, 26u);
    space.barrier();
    EXPECT_FALSE(has_migrated(space, object, last_of(space)));
    space.barrier();
  });
}

TEST_P(object_migration_test, ranks_take_turns) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    std::uint64_t expected = 0;
    for (int round = 0; round < 12; ++round) {
      // The rank at home takes its turn, too.
      const int turn = (round / 2) % world.size();
      if (world.rank() == turn) {
        EXPECT_EQ(space.read(object).a, expected);
        for (int i = 0; i < 5; ++i) {
          ++space.write(object).a;
          space.publish();
        }
      }
      expected += 5;
      space.barrier();
    }
    EXPECT_EQ(space.read(object).a, expected);
    space.barrier();
  });
}

TEST_P(object_migration_test, others_write_other_fields) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    change_alone(space, object, 5);
    space.barrier();
    // While the owner goes on, the home and another rank write, without having read before.
    change_alone(space, object, 5);
    if (world.rank() == 0) space.write(object).c = 7;
    if (world.rank() == world.size() / 2) space.write(object).d = 9;
    space.barrier();
    EXPECT_EQ(space.read(object).a, 10u);
    EXPECT_EQ(space.read(object).c, 7u);
    EXPECT_EQ(space.read(object).d, 9u);
    space.barrier();
  });
}

TEST_P(object_migration_test, never_of_a_locked_object) {
  run([](far::world& world) {
    if (world.size() == 1) return;
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    if (world.rank() == last_of(space)) {
      {
        const auto lock = space.lock(object);
        change_alone(space, object, 10);
        EXPECT_FALSE(has_migrated(space, object, world.rank()));
      }
      while (!has_migrated(space, object, world.rank())) change_alone(space, object, 1);
      const auto lock = space.lock(object);  // its monitor is still at the home
      ++space.write(object).c;
    }
    space.barrier();
    EXPECT_EQ(space.read(object).c, 1u);
    space.barrier();
  });
}

TEST_P(object_migration_test, not_while_others_have_copies) {
  run([](far::world& world) {
    if (world.size() < 3) return;
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    for (int round = 0; round < 5; ++round) {
      if (world.rank() == 1) (void)space.read(object);
      space.barrier();
      change_alone(space, object, 1);
      if (world.rank() == last_of(space)) {
        EXPECT_FALSE(has_migrated(space, object, last_of(space)));
      }
      space.barrier();
    }
  });
}

TEST_P(object_migration_test, not_while_the_home_reads) {
  run([](far::world& world) {
    if (world.size() == 1) return;
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    for (int round = 0; round < 8; ++round) {
      if (world.rank() == 0) (void)space.read(object);
      far::barrier(world);  // after space.barrier() nobody reads any more
      change_alone(space, object, 1);
      if (world.rank() == last_of(space)) {
        EXPECT_FALSE(has_migrated(space, object, last_of(space))) << "in round " << round;
      }
      far::barrier(world);
      if (world.rank() == 0) {
        EXPECT_EQ(space.read(object).a, static_cast<std::uint64_t>(round) + 1);
      }
    }
    space.barrier();
    while (world.rank() == last_of(space) && !has_migrated(space, object, last_of(space))) {
      change_alone(space, object, 1);
      world.progress();
    }
    space.barrier();
  });
}

TEST_P(object_migration_test, is_an_option) {
  run([](far::world& world) {
    auto how = small_space;
    how.migrate_after = 0;
    object_space space(world, how);
    const auto object = make_migrating<record>(space);
    change_alone(space, object, 20);
    EXPECT_FALSE(has_migrated(space, object, last_of(space)));
    space.barrier();
    EXPECT_EQ(space.read(object).a, 20u);
    space.barrier();
  });
}

TEST_P(object_migration_test, ends_where_copies_are_updated) {
  run([](far::world& world) {
    if (world.size() == 1) return;
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    change_alone(space, object, 5);
    space.barrier();
    if (world.rank() == 0) {
      EXPECT_TRUE(has_migrated(space, object, last_of(space))) << space.explain(object);
      space.set_protocol(object, object_protocol::update);
    }
    space.barrier();
    EXPECT_EQ(space.read(object).a, 5u);
    space.barrier();
    change_alone(space, object, 10);
    EXPECT_FALSE(has_migrated(space, object, last_of(space)));
    space.barrier();
    EXPECT_EQ(space.read(object).a, 15u);
    space.barrier();
  });
}

TEST_P(object_migration_test, volatile_fields_stay_at_home) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto object = make_migrating<record>(space);
    change_alone(space, object, 5);
    space.barrier();
    const auto counter = space.volatile_field(object, &record::c);
    for (int i = 0; i < 10; ++i) {
      (void)counter.fetch_add(1);
      change_alone(space, object, 1);
    }
    space.barrier();
    EXPECT_EQ(counter.load(), 10u * static_cast<std::uint32_t>(world.size()));
    EXPECT_EQ(space.read(object).a, 15u);
    space.barrier();
    EXPECT_EQ(counter.load(), 10u * static_cast<std::uint32_t>(world.size()));
    space.barrier();
  });
}

TEST_P(object_migration_test, large_regions_come_back_whole) {
  options.symmetric_bytes = std::uint64_t{4} << 20;
  run([](far::world& world) {
    const std::uint64_t n = world.fabric().name() == "sim" ? 3000 : 20000;
    object_space space(world, small_space);
    if (world.rank() == 0) {
      auto maker = space.on(world);
      maker.set_root("array", maker.make_array<std::uint32_t>(n));
    }
    space.barrier();
    const auto array = space.root<std::uint32_t[]>("array");
    for (std::uint32_t round = 1; round <= 6; ++round) {
      if (world.rank() == last_of(space)) {
        const std::uint64_t step = round < 6 ? 1 : 2;  // at last, gaps
        for (std::uint64_t i = 0; i < n; i += step) space.write(array, i) = round;
        space.publish();
      }
    }
    space.barrier();
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < n; ++i) wrong += space.read(array, i) != (i % 2 == 0 ? 6u : 5u);
    EXPECT_EQ(wrong, 0u);
    space.barrier();
  });
}

/// More regions than its cache holds migrate to a rank.
TEST_P(object_migration_test, leaves_a_full_cache) {
  options.symmetric_bytes = std::uint64_t{4} << 20;
  run([](far::world& world) {
    constexpr std::uint64_t blocks = 10;
    constexpr std::uint64_t n = blocks * 8184;
    auto how = small_space;
    how.cache_bytes = 3 << 16;
    object_space space(world, how);
    if (world.rank() == 0) {
      auto maker = space.on(world);
      maker.set_root("array", maker.make_array<std::uint64_t>(n));
    }
    space.barrier();
    const auto array = space.root<std::uint64_t[]>("array");
    if (world.rank() == last_of(space)) {
      for (std::uint64_t i = 0; i < n; i += 1000) {
        for (std::uint64_t round = 1; round <= 5; ++round) {
          space.write(array, i) = i + round;
          space.publish();
        }
        space.safe_point();
      }
    }
    space.barrier();
    for (std::uint64_t i = 0; i < n; i += 1000) {
      EXPECT_EQ(space.read(array, i), i + 5);
      space.refresh();
    }
    space.barrier();
  });
}

TEST_P(object_migration_test, collections_see_what_owners_wrote) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto head = make_migrating<node>(space, "head");
    constexpr std::uint64_t length = 8;
    for (int round = 0; round < 2; ++round) {
      if (world.rank() == last_of(space)) {
        for (std::uint64_t i = 0; i < length; ++i) {
          const auto made = space.make<node>(i, space.read(head).next);
          space.write(head).next = made;
          space.publish();
        }
        space.collect();  // the list of the round before is not reachable
        std::uint64_t left = length;
        for (auto at = space.read(head).next; at; at = space.read(at).next) {
          EXPECT_EQ(space.read(at).key, --left);
        }
        EXPECT_EQ(left, 0u);
        EXPECT_EQ(space.collections().live_objects, 1 + length);
        space.write(head).next = nullptr;
        space.publish();
      }
      space.barrier();
    }
  });
}

/// Several threads of the owner, and of the home.
TEST_P(object_migration_test, threads_share_what_their_rank_owns) {
  run([](far::world& world) {
    object_space space(world, small_space);
    constexpr std::size_t rounds = 6;
    using numbers = std::array<std::uint64_t, 4>;
    const auto object = make_migrating<numbers>(space, "numbers");
    for (std::size_t round = 0; round < rounds; ++round) {
      const int turn = static_cast<int>(round / 2) % world.size();
      world.threads(2, [&](far::world& own) {
        auto view = space.on(own);
        if (own.rank() != turn) return;
        for (int i = 0; i < 8; ++i) {
          view.write(object)[static_cast<std::size_t>(own.thread())] += 1;
          view.refresh();
        }
      });
      space.barrier();
      if (round % 2 == 0) continue;
      EXPECT_EQ(space.read(object)[0], 8 * (round + 1));
      EXPECT_EQ(space.read(object)[1], 8 * (round + 1));
      space.barrier();
    }
  });
}

INSTANTIATE_FAR_MODES_ON(object_migration_test, 1, 2, 4);

TEST(object_migration_failure_test, an_owner_that_dies_is_named) {
  far::run_options options;
  options.mode = far::job_mode::processes;
  options.ranks = 3;
  try {
    far::run(options, [](far::world& world) {
      object_space space(world, small_space);
      const auto object = make_migrating<record>(space);
      change_alone(space, object, 5);
      space.barrier();
      if (world.rank() == 2) raise(SIGKILL);
      for (;;) {  // the home and a rank that fetches
        (void)space.read(object);
        space.refresh();
      }
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const far::rank_failed& failure) {
    EXPECT_EQ(failure.rank(), 2);
  }
}

}  // namespace
