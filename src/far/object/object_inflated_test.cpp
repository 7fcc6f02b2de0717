// Monitors that threads queue for where they share the objects' memory; elsewhere the same programs
// show that they are the same monitors.

#include <chrono>
#include <cstdint>
#include <mutex>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/part.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::object_view;
using far::ref;
using far::test::record;

class object_inflated_test : public far::test::on_ranks {
 protected:
  object_inflated_test() {
    seeds = 5;
    allowed = far::test::run_size::any;
  }

  void SetUp() override {
    if (far::test::orders_threads_unseen(options)) GTEST_SKIP() << "see orders_threads_unseen";
  }
};

constexpr far::object_space_options shared_space{.heap_bytes = 1 << 20, .cache_bytes = 1 << 20};

ref<record> make_shared(object_space& space) {
  if (space.world().rank() == 0) space.set_root("shared", space.make<record>());
  space.barrier();
  return space.root<record>("shared");
}

/// At its home: whether the monitor has been inflated.
bool is_inflated(object_space& space, ref<record> object) {
  auto& part = *space.shared_part();
  return far::objects::monitor_word(part.heap.data_at(object.place().offset()))
      .inflated()
      .has_value();
}

TEST_P(object_inflated_test, threads_queue_and_wait_in_turn) {
  run([](far::world& world) {
    object_space space(world, shared_space);
    const auto shared = make_shared(space);
    const auto threads = 2 * static_cast<std::uint64_t>(world.size());
    const int rounds = world.fabric().simulated() ? 2 : 40;
    world.threads(2, [&](far::world& own) {
      auto view = space.on(own);
      auto monitor = view.monitor(shared);
      const auto me = static_cast<std::uint64_t>(2 * own.rank() + own.thread());
      for (int i = 0; i < rounds; ++i) {
        {
          const auto lock = view.lock(shared);
          view.write(shared).d += 1;
        }
        const auto again = view.lock(shared);
        const auto lock = view.lock(shared);  // a thread waits although it has entered twice
        monitor.wait([&] { return view.read(shared).a % threads == me; });
        view.write(shared).a += 1;
        monitor.notify_all();
      }
    });
    space.barrier();
    EXPECT_EQ(space.read(shared).a, threads * static_cast<std::uint64_t>(rounds));
    EXPECT_EQ(space.read(shared).d, threads * static_cast<std::uint64_t>(rounds));
    if (world.rank() == 0 && space.shared_part()->coherent) {
      EXPECT_TRUE(is_inflated(space, shared));
    }
    space.barrier();
  });
}

/// Some waits end at their deadlines while others are notified, one at a time. `d` threads wait,
/// and at most `b` of them have been notified.
TEST_P(object_inflated_test, deadlines_and_notifications_meet) {
  run([](far::world& world) {
    object_space space(world, shared_space);
    const auto shared = make_shared(space);
    const int rounds = world.fabric().simulated() ? 3 : 30;
    world.threads(2, [&](far::world& own) {
      auto view = space.on(own);
      auto monitor = view.monitor(shared);
      for (int i = 0; i < rounds; ++i) {
        const auto lock = view.lock(shared);
        record& r = view.write(shared);
        ++r.a;
        if (own.thread() == 0) {
          ++r.d;
          const bool told = monitor.wait_for(std::chrono::microseconds(i % 3 * 100));
          record& now = view.write(shared);
          --now.d;
          if (told) {
            EXPECT_GT(now.b, 0) << "a notification counts twice";
            --now.b;
            ++now.c;
          }
          if (now.b > now.d) --now.b;
        } else {
          if (r.b == 0 || i % 2 == 0) {
            monitor.notify();
            if (r.b < r.d) ++r.b;
          }
          ++r.e;
        }
      }
      while (own.thread() == 1 && !monitor.try_lock()) view.world().progress();
      if (own.thread() == 1) monitor.unlock();
    });
    space.barrier();
    const auto each = static_cast<std::uint64_t>(world.size() * rounds);
    EXPECT_EQ(space.read(shared).a, 2 * each);
    EXPECT_EQ(space.read(shared).e, static_cast<double>(each));
    EXPECT_EQ(space.read(shared).d, 0u);
    space.barrier();
  });
}

/// Collections come while threads queue and wait, and free what nobody names any more, so that its
/// inflated monitor serves another object.
TEST_P(object_inflated_test, collections_take_them_back) {
  run([](far::world& world) {
    object_space space(world, shared_space);
    const int rounds = world.fabric().simulated() ? 2 : 20;
    for (int i = 0; i < rounds; ++i) {
      const auto shared = make_shared(space);
      world.threads(2, [&](far::world& own) {
        auto view = space.on(own);
        for (int k = 0; k < 5; ++k) {
          const auto lock = view.lock(shared);
          ++view.write(shared).a;
          if (k == 2 && own.rank() == 0 && own.thread() == 0) view.collect();
        }
      });
      space.barrier();
      EXPECT_EQ(space.read(shared).a, 10 * static_cast<std::uint64_t>(world.size()));
      space.barrier();
      if (world.rank() == 0) space.set_root("shared", ref<record>());
      space.barrier();
      if (world.rank() == world.size() - 1) space.collect();
      space.barrier();
      EXPECT_EQ(space.collections().live_objects, 0u);
    }
    space.barrier();
  });
}

INSTANTIATE_FAR_MODES_ON(object_inflated_test, 1, 3);

}  // namespace
