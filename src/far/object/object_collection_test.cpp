// Objects that no thread can reach are collected, and no others.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/rooted.hpp"
#include "test/support/jobs.hpp"
#include "test/support/object_garbage.hpp"

namespace {

using far::object_space;
using far::object_view;
using far::ref;
using far::rooted;
using far::test::node;
using far::test::record;
using far::test::small_space;

std::string name_of(const char* what, int rank) { return what + std::to_string(rank); }

std::uint64_t live(const object_space& space) { return space.collections().live_objects; }

class object_collection_test : public far::test::on_ranks {
 protected:
  object_collection_test() {
    seeds = 10;
    allowed = far::test::run_size::any;
  }

  /// With copies, and in one memory where the ranks have one.
  static std::vector<far::object_space_options> all_options(far::world& world) {
    if (world.fabric().name() == "sim") return {small_space};
    auto shared = small_space;
    shared.force_protocol = false;
    return {small_space, shared};
  }
};

/// A megabyte that nothing keeps.
ref<std::uint64_t[]> megabyte(object_space& space) {
  return space.make_array<std::uint64_t>(std::size_t{1} << 17);
}

TEST_P(object_collection_test, a_heap_grows_after_a_collection) {
  run([](far::world& world) {
    if (world.fabric().name() == "sim") return;  // its heaps are as large as the first limit
    object_space space(world);
    if (world.rank() == 0) {
      for (int i = 0; i < 200; ++i) (void)megabyte(space);
      EXPECT_GE(space.collections().count, 3u);
      std::vector<rooted<std::uint64_t[]>> kept;
      for (std::uint64_t i = 0; i < 100; ++i) {
        kept.emplace_back(space, megabyte(space));
        space.write(kept.back(), 0) = i;
      }
      for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(space.read(kept[i], 0), i);
    }
    space.barrier();
  });
}

TEST_P(object_collection_test, handles_keep_objects) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      constexpr std::uint64_t length = 50;
      {
        rooted<node> head(space);
        for (std::uint64_t i = 0; i < length; ++i) {
          head = space.make<node>(i, head);
          (void)space.make<record>();  // nothing keeps it
        }
        const rooted second = head;
        head = nullptr;
        space.barrier();
        space.collect();
        space.barrier();
        EXPECT_EQ(live(space), length * static_cast<std::uint64_t>(world.size()));
        std::uint64_t expected = length;
        for (ref<node> at = second; at; at = space.read(at).next) {
          EXPECT_EQ(space.read(at).key, --expected);
        }
        EXPECT_EQ(expected, 0u);
        space.barrier();
      }
      space.barrier();
      space.collect();
      space.barrier();
      EXPECT_EQ(live(space), 0u);
      EXPECT_EQ(space.collections().freed_objects,
                2 * length * static_cast<std::uint64_t>(world.size()));
      space.barrier();
    }
  });
}

TEST_P(object_collection_test, cycles_cross_ranks) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      const auto number = static_cast<std::uint64_t>(world.rank());
      const auto size = static_cast<std::uint64_t>(world.size());
      space.set_root(name_of("node", world.rank()), space.make<node>(number, nullptr));
      space.barrier();
      const int next = (world.rank() + 1) % world.size();
      space.write(space.root<node>(name_of("node", world.rank()))).next =
          space.root<node>(name_of("node", next));
      space.barrier();
      // One name is enough for all of the ring.
      if (world.rank() > 0) space.set_root(name_of("node", world.rank()), ref<node>());
      space.barrier();
      space.collect();
      space.barrier();
      EXPECT_EQ(live(space), size);
      ref<node> at = space.root<node>("node0");
      for (std::uint64_t i = 0; i < 2 * size; ++i) {
        EXPECT_EQ(space.read(at).key, i % size);
        at = space.read(at).next;
      }
      space.barrier();
      if (world.rank() == 0) space.set_root("node0", ref<node>());
      space.barrier();
      space.collect();
      space.barrier();
      EXPECT_EQ(live(space), 0u);
      space.barrier();
    }
  });
}

TEST_P(object_collection_test, large_arrays_are_kept_whole) {
  options.symmetric_bytes = std::uint64_t{8} << 20;
  run([](far::world& world) {
    auto how = small_space;
    how.heap_bytes = 512 << 10;
    object_space space(world, how);
    constexpr std::uint64_t n = 20000;  // in three blocks of eight
    const rooted array(space, space.make_array<ref<node>>(n));
    space.write(array, n - 1) = space.make<node>(7u, nullptr);
    for (int i = 0; i < 4; ++i) {
      const rooted another(space, space.make_array<ref<node>>(n));
      EXPECT_FALSE(space.read(another, 0));
      EXPECT_FALSE(space.read(another, n - 1));
      space.write(another, n - 1) = space.read(array, n - 1);
      EXPECT_THROW((void)space.read(another, n), far::bad_argument);
    }
    EXPECT_GT(space.collections().count, 0u);
    EXPECT_EQ(space.read(space.read(array, n - 1)).key, 7u);
    space.barrier();
  });
}

TEST_P(object_collection_test, memory_stays_flat) {
  run([](far::world& world) {
    for (auto how : all_options(world)) {
      how.heap_bytes = 256 << 10;
      object_space space(world, how);
      const std::uint64_t made = world.fabric().name() == "sim" ? 15000 : 60000;
      rooted<node> head(space);
      std::uint64_t length = 0;
      for (std::uint64_t i = 0; i < made; ++i) {
        if (i % 100 == 0) {
          const ref<node> last = head;
          head = nullptr;
          head = space.make<node>(i, last);  // which keeps `last`
          ++length;
        } else {
          (void)space.make<node>(i, head);
        }
        if (i % 2000 == 0) (void)space.make_array<std::uint64_t>(i % 1000);
      }
      EXPECT_GT(space.collections().count, 0u);
      EXPECT_GT(space.collections().freed_objects, 0u);
      for (ref<node> at = head; at; at = space.read(at).next) {
        EXPECT_EQ(space.read(at).key, --length * 100);
      }
      EXPECT_EQ(length, 0u);
      space.barrier();
    }
  });
}

TEST_P(object_collection_test, full_memory_is_told) {
  run([](far::world& world) {
    auto how = small_space;
    how.heap_bytes = 128 << 10;
    for (const bool collects : {true, false}) {
      how.collects = collects;
      object_space space(world, how);
      rooted<node> head(space);
      EXPECT_THROW(for (;;) head = space.make<node>(1u, collects ? ref<node>(head) : ref<node>()),
                   far::out_of_memory);
      EXPECT_EQ(space.read(head).key, 1u);
      space.barrier();
      head = nullptr;
      space.barrier();
      space.collect();
      head = space.make<node>(2u, nullptr);
      EXPECT_EQ(space.read(head).key, 2u);
      space.barrier();
    }
  });
}

TEST_P(object_collection_test, arguments_are_kept_until_join) {
  run([](far::world& world) {
    object_space space(world, small_space);
    space.run(2, [](object_view& main) {
      const auto body = [](object_view& view, ref<record> object) {
        view.collect();
        view.write(object).a += 1;
        view.collect();
        view.write(object).a += 1;
      };
      std::vector<far::object_thread> threads;
      std::vector<ref<record>> objects;  // which keep nothing
      for (int r = 0; r < main.world().size(); ++r) {
        objects.push_back(main.make<record>());
        main.write(objects.back()).a = static_cast<std::uint64_t>(r);
        threads.push_back(main.start_thread(r, body, objects.back()));
      }
      main.collect();
      for (std::size_t r = 0; r < threads.size(); ++r) {
        threads[r].join();
        EXPECT_EQ(main.read(objects[r]).a, r + 2);
      }
      threads.clear();
      main.collect();
      main.collect();
      EXPECT_EQ(main.collections().live_objects, 0u);
    });
  });
}

// What is not published yet keeps objects, too.
TEST_P(object_collection_test, threads_collect_for_a_view_that_waits) {
  run([](far::world& world) {
    object_space space(world, small_space);
    if (world.rank() == 0) space.set_root("node", space.make<node>());
    space.barrier();
    const auto shared = space.root<node>("node");
    if (world.rank() == world.size() - 1) space.write(shared).next = space.make<node>(5u, nullptr);
    world.threads(2, [&](far::world& own) {
      auto view = space.on(own);
      view.collect();
      if (own.thread() == 0) view.collect();
    });
    if (world.rank() == world.size() - 1) {
      EXPECT_EQ(space.read(space.read(shared).next).key, 5u);
    }
    space.barrier();
    EXPECT_EQ(space.read(space.read(shared).next).key, 5u);
    space.barrier();
  });
}

TEST_P(object_collection_test, threads_that_do_not_stop_are_named) {
  if (options.mode != far::job_mode::fibers) return;  // it takes 30 s
  run([](far::world& world) {
    object_space space(world, small_space);
    if (world.rank() == 0 && world.size() > 1) {
      std::string told;
      while (told.empty()) {  // rank 1 may have no thread in the space yet
        try {
          space.collect();
        } catch (const far::error& failure) {
          told = failure.what();
        }
      }
      EXPECT_NE(told.find("of rank 1 has come to no safe point"), std::string::npos) << told;
    }
    if (world.rank() == 1) {
      far::barrier(world);  // the others cannot know that this is no computation
    } else {
      space.outside([&] { far::barrier(world); });
    }
    EXPECT_THROW(space.outside([] { throw far::error("outside"); }), far::error);
    space.collect();
    EXPECT_GT(space.collections().count, 0u);
    space.barrier();
  });
}

TEST_P(object_collection_test, threads_move_references) {
  if (far::test::orders_threads_unseen(options)) GTEST_SKIP() << "see orders_threads_unseen";
  run([](far::world& world) {
    for (auto how : all_options(world)) {
      how.heap_bytes = 512 << 10;
      object_space space(world, how);
      const far::test::object_garbage program(space);
      const int steps = world.fabric().name() == "sim" ? 30 : 300;
      world.threads(2, [&](far::world& own) {
        auto view = space.on(own);
        program.run(view, 1, steps);
      });
      program.check_all();
    }
  });
}

INSTANTIATE_FAR_MODES_ON(object_collection_test, 1, 2, 3);

}  // namespace
