#include "far/object/object_thread.hpp"

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::object_thread;
using far::object_view;
using far::ref;
using far::test::record;
using far::test::small_space;

class object_thread_test : public far::test::on_ranks {
 protected:
  object_thread_test() { seeds = 30; }
};

TEST_P(object_thread_test, threads_start_everywhere) {
  run([](far::world& world) {
    object_space space(world, small_space);
    space.run(2, [](object_view& main) {
      const auto shared = main.make<record>();
      main.write(shared).a = 100;
      std::vector<object_thread> threads;
      for (int r = 0; r < main.world().size(); ++r) {
        threads.push_back(main.start_thread(
            r,
            [](object_view& view, ref<record> object) {
              const auto lock = view.lock(object);
              EXPECT_GE(view.read(object).a, 100u);
              ++view.write(object).a;
            },
            shared));
      }
      for (object_thread& t : threads) t.join();
      EXPECT_EQ(main.read(shared).a, 100u + static_cast<std::uint64_t>(main.world().size()));
    });
  });
}

TEST_P(object_thread_test, what_a_thread_throws_is_told) {
  run([](far::world& world) {
    object_space space(world, small_space);
    space.run(2, [](object_view& main) {
      const auto shared = main.make<record>();
      auto thread = main.start_thread(
          main.world().size() - 1,
          [](object_view& view, ref<record> object) {
            view.monitor(object).lock();
            view.write(object).a = 5;
            throw std::runtime_error("no more");
          },
          shared);
      std::string told;
      try {
        thread.join();
      } catch (const far::error& failure) {
        told = failure.what();
      }
      EXPECT_EQ(told, "no more");
      EXPECT_FALSE(thread.joinable());
      // It has left its monitor, and what it wrote is there.
      const auto lock = main.lock(shared);
      EXPECT_EQ(main.read(shared).a, 5u);
    });
  });
}

TEST_P(object_thread_test, programs_follow_each_other) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto counter = space.make<std::uint64_t>();
    space.run(1, [](object_view&) {});
    space.run(2, [counter](object_view& main) {
      // A thread of rank 0, which has had none before.
      main.start_thread(
              0, [](object_view& view, ref<std::uint64_t> at) { ++view.write(at); }, counter)
          .join();
    });
    EXPECT_EQ(space.read(counter), world.rank() == 0 ? 1u : 0u);
  });
}

INSTANTIATE_FAR_MODES_ON(object_thread_test, 1, 2, 3);

}  // namespace
