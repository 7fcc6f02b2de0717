// What bindings need of the object space: types and roots that C++ does not know of.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/object/known_types.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::objects::described_type;
using far::objects::place;
using far::objects::thread_access;
using far::test::node;
using far::test::small_space;

class object_external_test : public far::test::on_ranks {
 protected:
  object_external_test() {
    seeds = 10;
    allowed = far::test::run_size::any;
  }

  static std::vector<far::object_space_options> all_options(far::world& world) {
    if (world.fabric().name() == "sim") return {small_space};
    auto shared = small_space;
    shared.force_protocol = false;
    return {small_space, shared};
  }
};

std::string numbered(const char* what, int rank) { return what + std::to_string(rank); }

TEST_P(object_external_test, types_are_found_by_place) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      {
        thread_access own(world, space.shared_part());
        // A type that no other rank has made, with more fields than a message has room for.
        std::vector<far::objects::cell> cells;
        for (std::uint32_t i = 0; i < 2000; ++i) cells.push_back({i * 8, 8, i % 2 == 1});
        const described_type mine(numbered("type", world.rank()), 16000, cells);
        const place made = own.make(mine.descriptor(), 1, false);
        *reinterpret_cast<std::uint64_t*>(own.writable(made)) = 7;
        own.set_root(numbered("object", world.rank()), made, mine.descriptor());
        space.barrier();
        const auto& guess = far::objects::descriptor_of<node>();
        for (int rank = 0; rank < world.size(); ++rank) {
          const place at = own.root(numbered("object", rank));
          for (const auto* guessed : {&guess, static_cast<decltype(&guess)>(nullptr)}) {
            const auto& type = own.type_of(at, guessed);
            EXPECT_EQ(type.name(), numbered("type", rank));
            EXPECT_EQ(type.cells().size(), 2000u);
            const auto* data = own.readable(at);
            if (data == nullptr) data = own.get_readable(at, type);
            EXPECT_EQ(*reinterpret_cast<const std::uint64_t*>(data), 7u);
          }
        }
        EXPECT_THROW((void)own.type_of(place()), far::bad_argument);
        EXPECT_THROW((void)own.type_of(made.plus(1)), far::bad_argument);
        EXPECT_TRUE(own.root("nothing").is_null());
        own.begin_outside();
        space.barrier();
        own.end_outside();
        own.close();
      }
      space.barrier();
    }
  });
}

TEST_P(object_external_test, kept_objects_stay) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      const auto number = static_cast<std::uint64_t>(world.rank());
      const auto size = static_cast<std::uint64_t>(world.size());
      space.set_root(numbered("node", world.rank()), space.make<node>(number, nullptr));
      space.barrier();
      const int next = (world.rank() + 1) % world.size();
      const auto other = space.root<node>(numbered("node", next));
      auto& part = *space.shared_part();
      part.keep(other.place());
      part.keep(other.place());
      space.barrier();
      space.set_root(numbered("node", world.rank()), far::ref<node>());
      for (int times = 2; times > 0; --times) {
        space.barrier();
        space.collect();
        space.barrier();
        EXPECT_EQ(space.collections().live_objects, size);
        EXPECT_EQ(space.read(other).key, static_cast<std::uint64_t>(next));
        space.barrier();
        part.release(other.place());
      }
      space.barrier();
      space.collect();
      space.barrier();
      EXPECT_EQ(space.collections().live_objects, 0u);
      EXPECT_THROW(part.release(other.place()), far::bad_argument);
      space.barrier();
    }
  });
}

TEST_P(object_external_test, threads_may_be_outside) {
  run([](far::world& world) {
    object_space space(world, small_space);
    for (int i = 0; i < 3; ++i) {
      space.barrier();
      if (world.rank() == 0) space.collect();
      space.barrier();
    }
    EXPECT_GE(space.collections().count, 3u);
    std::vector<std::uint64_t> counts;
    world.threads(2, [&](far::world& mine) {
      thread_access own(mine, space.shared_part());
      if (mine.thread() == 0) {
        own.collect();
      } else {
        own.begin_outside();  // until the other thread has collected, and longer
        mine.compute(1000);
        own.end_outside();
        own.refresh();
      }
    });
    space.barrier();
  });
}

TEST_P(object_external_test, changes_are_told) {
  run([](far::world& world) {
    auto how = small_space;
    how.tracks_changes = true;
    object_space space(world, how);
    auto& part = *space.shared_part();
    constexpr int objects = 20;
    const auto size = static_cast<std::uint64_t>(world.size());
    // What this rank has read, as another language's objects would hold it.
    std::map<std::uint64_t, std::uint64_t> read;
    std::vector<far::ref<node>> all;
    for (int i = 0; i < objects; ++i) {
      const int home = i % world.size();
      if (home == world.rank()) space.set_root(numbered("n", i), space.make<node>(0u, nullptr));
    }
    space.barrier();
    for (int i = 0; i < objects; ++i) all.push_back(space.root<node>(numbered("n", i)));
    std::uint64_t kept = 0;
    for (std::uint64_t round = 1; round <= 30; ++round) {
      // In each round another rank writes a quarter of them; round 20 has a collection.
      if (round % size == static_cast<std::uint64_t>(world.rank())) {
        for (std::size_t i = round % 4; i < objects; i += 4) {
          space.write(all[i]).key = round;
          read[all[i].bits()] = round;
        }
      }
      space.barrier();
      if (round == 20 && world.rank() == 0) space.collect();
      space.barrier();
      for (const place at : part.take_changed()) read.erase(at.bits());
      kept += read.size();
      for (std::size_t i = 0; i < objects; ++i) {
        std::uint64_t expected = 0;
        for (std::uint64_t r = 1; r <= round; ++r) expected = r % 4 == i % 4 ? r : expected;
        const auto [found, added] = read.try_emplace(all[i].bits());
        if (added) found->second = space.read(all[i]).key;
        EXPECT_EQ(found->second, expected) << "object " << i << " in round " << round;
      }
      space.barrier();
    }
    EXPECT_GT(kept, 0u);  // it says more than that all may have changed
    space.barrier();
    how.reachable_copies = true;
    EXPECT_THROW(object_space(world, how), far::bad_argument);
  });
}

// Each thread of each rank counts under a lock of the program's own, a word at its home. Each rank
// reads by one view, as a language with a memory of its own does, and only what it is told of.
TEST_P(object_external_test, changes_under_a_foreign_lock_are_told) {
  run([](far::world& world) {
    auto how = small_space;
    how.tracks_changes = true;
    object_space space(world, how);
    auto& part = *space.shared_part();
    constexpr std::uint64_t times = 50;
    const int size = world.size();
    space.set_root(numbered("count", world.rank()), space.make<node>(0u, nullptr));
    if (world.rank() == 0) space.set_root("lock", space.make<node>(0u, nullptr));
    space.barrier();
    std::vector<place> counts;
    for (int rank = 0; rank < size; ++rank) {
      counts.push_back(space.root<node>(numbered("count", rank)).place());
    }
    const place lock = space.root<node>("lock").place();
    const auto& type = far::objects::descriptor_of<node>();
    thread_access data(world, space.shared_part());
    const far::atomic_ref<std::uint64_t> word(
        world, far::reinterpret_pointer_cast<std::uint64_t>(data.at_home(lock, 0)));
    std::map<std::uint64_t, std::uint64_t> read;
    for (std::uint64_t i = 0; i < times; ++i) {
      for (std::uint64_t seen = 1; seen != 0;) {
        seen = 0;
        if (!word.compare_exchange(seen, 1)) world.compute(100), world.progress();
      }
      data.refresh();
      for (const place at : part.take_changed()) read.erase(at.bits());
      for (const place at : counts) {
        const auto [found, added] = read.try_emplace(at.bits());
        if (added) {
          const auto* bytes = data.readable(at);
          if (bytes == nullptr) bytes = data.get_readable(at, type);
          found->second = *reinterpret_cast<const std::uint64_t*>(bytes);
        }
        auto* bytes = data.writable(at);
        if (bytes == nullptr) bytes = data.get_writable(at, type);
        *reinterpret_cast<std::uint64_t*>(bytes) = ++found->second;
      }
      data.publish();
      (void)word.exchange(0);
    }
    space.barrier();
    data.refresh();
    for (const place at : counts) {
      const auto* bytes = data.get_readable(at, type);
      EXPECT_EQ(*reinterpret_cast<const std::uint64_t*>(bytes),
                times * static_cast<std::uint64_t>(size));
    }
    space.barrier();
    data.close();
    space.barrier();
  });
}

TEST_P(object_external_test, waits_are_interrupted) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      if (world.rank() == 0) space.set_root("monitor", space.make<node>(0u, nullptr));
      space.barrier();
      const place at = space.root<node>("monitor").place();
      // Twice, for the second time the monitor may be inflated.
      for (int times = 0; times < 2; ++times) {
        std::atomic<bool> interrupted = false;
        std::atomic<bool> waits = false;
        world.threads(2, [&](far::world& mine) {
          thread_access own(mine, space.shared_part());
          if (mine.thread() == 0) {
            own.enter(at);
            waits = true;
            EXPECT_FALSE(own.wait(at, far::fabric::never, &interrupted));
            EXPECT_TRUE(own.is_in(at));
            own.exit(at);
          } else {
            while (!waits) mine.compute(1000), mine.progress();
            own.enter(at);  // the other thread waits in it by now
            own.exit(at);
            interrupted = true;
            own.wake_waits();
          }
        });
        space.barrier();
      }
    }
  });
}

TEST_P(object_external_test, monitors_are_lent) {
  run([](far::world& world) {
    for (const auto& how : all_options(world)) {
      object_space space(world, how);
      if (world.rank() == 0) space.set_root("monitor", space.make<node>(0u, nullptr));
      space.barrier();
      const auto object = space.root<node>("monitor");
      const place at = object.place();
      for (int i = 0; i < 5; ++i) {
        {
          thread_access first(world, space.shared_part());
          first.enter(at);
          first.enter(at);
          first.lend(at);
          EXPECT_FALSE(first.is_in(at));
          EXPECT_THROW(first.exit(at), far::bad_argument);
        }
        thread_access second(world, space.shared_part());
        second.borrow(at);
        EXPECT_THROW(second.borrow(at), far::bad_argument);
        space.refresh();
        ++space.write(object).key;
        space.publish();
        second.exit(at);
        EXPECT_TRUE(second.is_in(at));
        second.exit(at);
      }
      space.barrier();
      EXPECT_EQ(space.read(object).key, 5u * static_cast<std::uint64_t>(world.size()));
      space.barrier();
    }
  });
}

INSTANTIATE_FAR_MODES_ON(object_external_test, 1, 2, 4);

}  // namespace
