#include <chrono>
#include <cstdint>
#include <mutex>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/rooted.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::object_view;
using far::ref;
using far::test::node;
using far::test::record;
using far::test::small_space;

class object_monitor_test : public far::test::on_ranks {
 protected:
  object_monitor_test() { seeds = 30; }
};

/// Runs the body on two threads of each rank, with an object of rank 0.
template <class Body>
void on_threads(far::world& world, const far::object_space_options& how, Body body) {
  object_space space(world, how);
  if (world.rank() == 0) space.set_root("shared", space.make<record>());
  space.barrier();
  const auto shared = space.root<record>("shared");
  world.threads(2, [&](far::world& own) {
    auto view = space.on(own);
    body(view, shared);
  });
  space.barrier();
  const int threads = 2 * world.size();
  EXPECT_EQ(space.read(shared).c, static_cast<std::uint32_t>(threads));
  space.barrier();
}

TEST_P(object_monitor_test, excludes_others) {
  run([](far::world& world) {
    for (const bool forced : {true, false}) {
      auto how = small_space;
      how.force_protocol = forced;
      on_threads(world, how, [](object_view& view, ref<record> shared) {
        const int rounds = far::test::rounds_in_sim(view.world(), 80 * view.world().size(), 10);
        for (int i = 0; i < rounds; ++i) {
          const auto lock = view.lock(shared);
          const std::uint64_t before = view.read(shared).a;
          view.world().progress();
          view.write(shared).a = before + 1;
        }
        // The last thread that is done.
        const auto threads = static_cast<std::uint64_t>(2 * view.world().size());
        auto monitor = view.monitor(shared);
        monitor.lock();
        record& r = view.write(shared);
        if (++r.c == threads) {
          EXPECT_EQ(r.a, threads * static_cast<std::uint64_t>(rounds));
        }
        monitor.unlock();
      });
    }
  });
}

TEST_P(object_monitor_test, tries_may_be_repeated) {
  run([](far::world& world) {
    on_threads(world, small_space, [](object_view& view, ref<record> shared) {
      auto monitor = view.monitor(shared);
      while (!monitor.try_lock()) {
      }
      ++view.write(shared).c;
      view.world().progress();
      monitor.unlock();
    });
  });
}

TEST_P(object_monitor_test, may_be_entered_again) {
  run([](far::world& world) {
    on_threads(world, small_space, [](object_view& view, ref<record> shared) {
      auto monitor = view.monitor(shared);
      monitor.lock();
      monitor.lock();
      EXPECT_TRUE(monitor.try_lock());
      monitor.unlock();
      const std::uint32_t before = view.read(shared).c;
      monitor.unlock();
      EXPECT_TRUE(monitor.is_held());
      view.write(shared).c = before + 1;
      monitor.unlock();
      EXPECT_FALSE(monitor.is_held());
    });
  });
}

// Two threads of each rank go along a list, each object's monitor entered before the last is left.
TEST_P(object_monitor_test, locks_are_passed_hand_over_hand) {
  run([](far::world& world) {
    object_space space(world, small_space);
    if (world.rank() == 0) {
      far::rooted list(space, space.make<node>(0u, nullptr));
      for (int i = 0; i < 3; ++i) list = space.make<node>(0u, list);
      space.set_root<node>("list", list);
    }
    space.barrier();
    const auto list = space.root<node>("list");
    world.threads(2, [&](far::world& own) {
      auto view = space.on(own);
      auto lock = view.lock(list);
      for (ref<node> at = list; at;) {
        ++view.write(at).key;
        at = view.read(at).next;
        if (at) lock = view.lock(at);
        EXPECT_TRUE(lock.monitor().is_held());
      }
    });
    space.barrier();
    std::uint64_t visits = 0;
    for (ref<node> at = list; at; at = space.read(at).next) {
      visits += space.read(at).key;
      EXPECT_FALSE(space.monitor(at).is_held());
    }
    EXPECT_EQ(visits, 8 * static_cast<std::uint64_t>(world.size()));
    space.barrier();
  });
}

TEST_P(object_monitor_test, notified_threads_go_on) {
  run([](far::world& world) {
    on_threads(world, small_space, [](object_view& view, ref<record> shared) {
      // A barrier, as the paper measures it.
      const auto threads = static_cast<std::uint32_t>(2 * view.world().size());
      auto monitor = view.monitor(shared);
      const std::scoped_lock lock(monitor);
      if (++view.write(shared).c == threads) {
        monitor.notify_all();
      } else {
        monitor.wait([&] { return view.read(shared).c == threads; });
      }
      EXPECT_EQ(view.read(shared).c, threads);
    });
  });
}

// Threads go on in a row: each notifies one, when it has entered the monitor anew. Another that had
// been notified together with it would come first, and find no notification.
TEST_P(object_monitor_test, one_is_notified) {
  run([](far::world& world) {
    for (const bool forced : {true, false}) {
      auto how = small_space;
      how.force_protocol = forced;
      on_threads(world, how, [](object_view& view, ref<record> shared) {
        const auto threads = static_cast<std::uint32_t>(2 * view.world().size());
        auto monitor = view.monitor(shared);
        {
          const std::scoped_lock lock(monitor);
          const std::uint32_t ticket = view.write(shared).c++;
          if (ticket + 1 < threads) {
            monitor.wait();
            record& r = view.write(shared);
            EXPECT_EQ(r.b, 1) << "not the only one that was notified";
            EXPECT_EQ(r.d, ticket) << "not the one that has waited longest";
            r.b = 0;
            ++r.d;
          }
        }
        const std::scoped_lock lock(monitor);
        view.write(shared).b = 1;
        monitor.notify();
      });
    }
  });
}

TEST_P(object_monitor_test, waits_may_end) {
  run([](far::world& world) {
    on_threads(world, small_space, [](object_view& view, ref<record> shared) {
      auto monitor = view.monitor(shared);
      const std::scoped_lock lock(monitor);
      ++view.write(shared).c;
      EXPECT_FALSE(monitor.wait_for(std::chrono::microseconds(10)));
      EXPECT_TRUE(monitor.is_held());
    });
  });
}

INSTANTIATE_FAR_MODES_ON(object_monitor_test, 1, 2, 3);

}  // namespace
