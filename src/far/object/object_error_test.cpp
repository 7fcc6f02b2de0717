// Bad input gives one line, and a rank that dies is told to all.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string>

#include <gtest/gtest.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/object/heap/stale_memory.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/team/barrier.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::object_view;
using far::ref;
using far::test::node;
using far::test::record;
using far::test::small_space;

class object_error_test : public far::test::on_ranks {
 protected:
  object_error_test() { seeds = 10; }
};

/// What the call throws as a bad argument, or "nothing".
template <class Call>
std::string told_by(Call call) {
  try {
    call();
  } catch (const far::bad_argument& failure) {
    return failure.what();
  }
  return "nothing";
}

TEST_P(object_error_test, names_what_is_wrong) {
  run([](far::world& world) {
    for (const bool forced : {true, false}) {
      auto how = small_space;
      how.force_protocol = forced;
      object_space space(world, how);
      object_space other(world, how);
      if (world.rank() == 0) {
        space.set_root("array", space.make_array<std::uint64_t>(5));
        space.set_root("record", space.make<record>());
      }
      space.barrier();
      const auto array = space.root<std::uint64_t[]>("array");
      const auto object = space.root<record>("record");
      const auto has = [](const std::string& text, const char* what) {
        EXPECT_NE(text.find(what), std::string::npos) << text;
      };
      has(told_by([&] { (void)space.read(ref<record>()); }), "null reference");
      has(told_by([&] { space.write(ref<record>()).a = 1; }), "null reference");
      has(told_by([&] { (void)space.read(ref<std::uint64_t[]>(), 70000); }), "null reference");
      has(told_by([&] { space.monitor(ref<record>()).lock(); }), "null reference");
      has(told_by([&] { (void)other.read(object); }), "another space");
      has(told_by([&] { (void)other.write(object); }), "another space");
      has(told_by([&] { (void)space.read(array, 5); }), "index 5 of an array of 5");
      has(told_by([&] { (void)space.write(array, 100000); }), "index 100000 of an array of 5");
      has(told_by([&] { (void)space.read(array, ~std::uint64_t{0}); }), "of an array of 5");
      has(told_by([&] { space.monitor(object).unlock(); }), "not in the monitor");
      has(told_by([&] { space.monitor(object).notify(); }), "not in the monitor");
      has(told_by([&] { space.monitor(object).wait(); }), "not in the monitor");
      has(told_by([&] { (void)space.root<node>("record"); }), "another type");
      has(told_by([&] {
            (void)space.start_thread(
                99, [](far::object_view&, ref<record>) {}, object);
          }),
          "no rank 99");
      if (forced) {
        const auto wrong = ref<node>::from_bits(object.bits());
        const auto nowhere = ref<node>::from_bits(object.bits() + (512 << 10));
        if (world.rank() != 0 || far::base::debug_checks) {
          has(told_by([&] { (void)space.read(wrong); }), "is not a");
          has(told_by([&] { (void)space.read(nowhere); }), "no such object");
        }
        has(told_by([&] { space.monitor(nowhere).lock(); }), "no such object");
      }
      space.barrier();
    }
  });
}

TEST_P(object_error_test, a_full_heap_says_so) {
  run([](far::world& world) {
    object_space space(world, small_space);
    std::string told;
    try {
      std::vector<far::rooted<std::uint64_t[]>> all;
      for (;;) all.emplace_back(space, space.make_array<std::uint64_t>(8000));
    } catch (const far::out_of_memory& failure) {
      told = failure.what();
    }
    EXPECT_NE(told.find("FAR_OBJECT_HEAP"), std::string::npos) << told;
    space.barrier();
  });
}

#ifdef FAR_DEBUG_CHECKS
TEST_P(object_error_test, a_reference_that_kept_nothing_is_found_out) {
  run([](far::world& world) {
    for (const bool forced : {true, false}) {
      auto how = small_space;
      how.force_protocol = forced;
      object_space space(world, how);
      const auto name = [](int rank) { return "record " + std::to_string(rank); };
      const auto mine = space.make<record>();
      const auto array = space.make_array<std::uint64_t>(3);
      space.write(mine).a = 1;
      space.write(array, 1) = 1;
      space.set_root(name(world.rank()), mine);
      space.barrier();
      const auto theirs = space.root<record>(name((world.rank() + 1) % world.size()));
      EXPECT_EQ(space.read(theirs).a, 1u);
      space.barrier();
      space.set_root(name(world.rank()), ref<record>());
      space.barrier();
      if (world.rank() == 0) space.collect();
      space.barrier();
      const auto says = [](const std::string& text) {
        EXPECT_NE(text.find("no such object"), std::string::npos) << text;
      };
      says(told_by([&] { (void)space.read(mine); }));
      says(told_by([&] { space.write(mine).a = 1; }));
      says(told_by([&] { (void)space.read(theirs); }));
      says(told_by([&] { space.write(theirs).a = 1; }));
      says(told_by([&] { (void)space.read(array, 1); }));
      says(told_by([&] { (void)space.size(array); }));
      says(told_by([&] { (void)space.read(ref<node>::from_bits(mine.bits() + 8)); }));
      space.barrier();
    }
  });
}

/// Whether a field is in memory that nobody may use.
bool is_forbidden(const std::uint64_t& field) {
#if defined(__SANITIZE_ADDRESS__)
  return __asan_address_is_poisoned(&field) != 0;
#else
  return field == 0xdbdb'dbdb'dbdb'dbdb;
#endif
}

TEST_P(object_error_test, memory_that_is_used_too_long_is_forbidden) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto mine = space.make<record>(record{7u, 1, 2, 3, 0.5});
    const std::uint64_t& at_home = space.read(mine).a;
    if (world.rank() == 0) space.set_root("record", space.make<record>(record{8u, 1, 2, 3, 0.5}));
    space.barrier();
    const auto shared = space.root<record>("record");
    for (int round = 0; round < 3 && world.rank() == 1; ++round) {
      std::uint64_t& copied = space.write(shared).a;
      copied = 9;
      space.refresh();
      // The home may let the only writer keep its copy.
      const bool kept = space.explain(shared).find("stays current") != std::string::npos;
      EXPECT_NE(is_forbidden(copied), kept);
      EXPECT_EQ(space.read(shared).a, 9u);
      EXPECT_FALSE(is_forbidden(copied));
    }
    EXPECT_FALSE(is_forbidden(at_home));
    space.barrier();
    if (world.rank() == 0) space.collect();
    space.barrier();
    EXPECT_TRUE(is_forbidden(at_home));
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(space.read(space.make<record>()).a, 0u);
    space.barrier();
  });
}
#endif

INSTANTIATE_FAR_MODES_ON(object_error_test, 2);

/// All ranks use objects of all ranks, in all ways, until the job fails.
[[maybe_unused]] void use_for_ever(const far::world& world, far::object_protocol protocol) {
  auto how = small_space;
  how.protocol = protocol;
  object_space space(world, how);
  const auto name = [](int rank) { return "record " + std::to_string(rank); };
  space.set_root(name(world.rank()), space.make<record>());
  if (world.rank() == 0) space.set_root("array", space.make_array<std::uint64_t>(2000));
  space.barrier();
  const auto array = space.root<std::uint64_t[]>("array");
  for (int i = 0;; ++i) {
    const auto object = space.root<record>(name((world.rank() + i) % world.size()));
    {
      auto lock = space.lock(object);
      ++space.write(object).a;
      for (std::uint64_t& element : space.write_from(array, 0)) ++element;  // many packets
      if (i % 2 == 1) (void)lock.monitor().wait_for(std::chrono::microseconds(1));
      lock.monitor().notify_all();
    }
    space.volatile_field(object, &record::c).fetch_add(1);
    if (i % 4 == 3) space.barrier();
  }
}

/// Rank 0 starts threads everywhere until the job fails.
[[maybe_unused]] void start_for_ever(const far::world& world) {
  object_space space(world, small_space);
  const auto object = space.make<record>();
  space.run(2, [object](object_view& main) {
    for (int i = 0;; ++i) {
      const auto add = [](object_view& view, ref<record> to) {
        const auto lock = view.lock(to);
        ++view.write(to).a;
      };
      far::object_thread one = main.start_thread(i % main.world().size(), add, object);
      far::object_thread other = main.start_thread((i + 1) % main.world().size(), add, object);
      one.join();
      other.join();
    }
  });
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // lanes leak what is in flight
TEST(killed_object_user_test, is_named_to_those_who_wait) {
  const auto body = [](const far::world& world) {
    use_for_ever(world, far::object_protocol::automatic);
  };
  far::test::expect_death_is_told(
      body, [] {}, 1000);
}
TEST(killed_object_user_test, is_named_to_those_who_write_in_place) {
  const auto body = [](const far::world& world) {
    use_for_ever(world, far::object_protocol::update_in_place);
  };
  far::test::expect_death_is_told(
      body, [] {}, 300);
}
TEST(killed_object_user_test, is_named_to_those_who_start_threads) {
  far::test::expect_death_is_told(
      start_for_ever, [] {}, 1000);
}
#endif

TEST(killed_object_user_test, is_named_among_processes) {
  far::run_options options;
  options.ranks = 3;
  options.mode = far::job_mode::processes;
  try {
    far::run(options, [](far::world& world) {
      object_space space(world, small_space);
      if (world.rank() == 0) space.set_root("record", space.make<record>());
      space.barrier();
      const auto object = space.root<record>("record");
      for (int i = 0;; ++i) {
        const auto lock = space.lock(object);
        if (world.rank() == 1 && i == 100) raise(SIGKILL);
        ++space.write(object).a;
      }
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const far::rank_failed& failure) {
    EXPECT_EQ(failure.rank(), 1);
  }
}

}  // namespace
