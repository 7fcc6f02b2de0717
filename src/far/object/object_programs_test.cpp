// Generated programs without data races see what an interleaving would show.
//
// 100,000 seeds by hand: FAR_TEST_SEEDS=100000 object_object_programs_test

#include "test/support/object_programs.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "test/support/jobs.hpp"
#include "test/support/object_counters.hpp"

namespace {

class object_programs_test : public far::test::on_ranks {
 protected:
  /// Two threads of each rank write and read counters.
  void run_counters(far::object_protocol protocol, far::test::object_counters::habits habits) {
    if (options.mode != far::job_mode::fibers) return;  // threads read what others write
    static far::test::object_counters::ghosts shared;
    allowed = far::test::run_size::any;
    run([=](far::world& world) {
      far::object_space space(world, {.heap_bytes = 1 << 20,
                                      .cache_bytes = 1 << 20,
                                      .protocol = protocol,
                                      .migrate_after = habits.favours ? 1u : 3u});
      const far::test::object_counters program(space, shared, habits);
      world.threads(2, [&](far::world& own) {
        auto view = space.on(own);
        program.run(view, habits.favours ? 120 : 40);
      });
      program.check_all();
    });
  }
  /// Two threads of each rank.
  void run_programs(const far::object_space_options& how) {
    static far::test::shadows shared;
    allowed = far::test::run_size::any;
    run([&how](far::world& world) {
      const int steps = world.fabric().name() == "sim" ? 30 : 200;
      far::object_space space(world, how);
      const far::test::object_program program(space, shared);
      world.threads(2, [&](far::world& own) {
        auto view = space.on(own);
        program.run(view, steps);
      });
      program.check_all();
    });
  }
};

TEST_P(object_programs_test, see_what_was_written_last) {
  run_programs({.heap_bytes = 1 << 20,
                .cache_bytes = 1 << 20,
                .force_protocol = true,
                .protocol = far::object_protocol::invalidate});
}

TEST_P(object_programs_test, see_what_was_sent_last) {
  run_programs({.heap_bytes = 1 << 20,
                .cache_bytes = 1 << 20,
                .force_protocol = true,
                .protocol = far::object_protocol::update});
}

TEST_P(object_programs_test, see_what_was_written_in_place) {
  run_programs({.heap_bytes = 1 << 20,
                .cache_bytes = 1 << 20,
                .force_protocol = true,
                .protocol = far::object_protocol::update_in_place});
}

TEST_P(object_programs_test, with_little_memory_for_copies) {
  run_programs({.heap_bytes = 1 << 20, .cache_bytes = 12 << 10, .force_protocol = true});
}

TEST_P(object_programs_test, written_in_place_with_little_memory) {
  run_programs({.heap_bytes = 1 << 20,
                .cache_bytes = 12 << 10,
                .force_protocol = true,
                .protocol = far::object_protocol::update_in_place});
}

TEST_P(object_programs_test, fetched_by_messages) {
  run_programs({.heap_bytes = 1 << 20,
                .cache_bytes = 1 << 20,
                .force_protocol = true,
                .replies = far::fetch_replies::messages});
}

TEST_P(object_programs_test, in_one_memory) {
  if (options.mode == far::job_mode::fibers)
    return;  // ranks of a simulation have no memory in common
  run_programs({.heap_bytes = 1 << 20, .cache_bytes = 0, .force_protocol = false});
}

TEST_P(object_programs_test, counters_are_published) {
  run_counters(far::object_protocol::invalidate, {});
}

TEST_P(object_programs_test, counters_are_sent) {
  run_counters(far::object_protocol::update, {.writes = 6, .home_writes = false});
}

TEST_P(object_programs_test, counters_are_written_in_place) {
  run_counters(far::object_protocol::update_in_place, {.writes = 6, .home_writes = false});
}

/// Changes wait for writes, several of one number, too.
TEST_P(object_programs_test, counters_of_the_home_are_written_in_place) {
  run_counters(far::object_protocol::update_in_place, {.writes = 14});
}

TEST_P(object_programs_test, counters_change_protocols) {
  run_counters(far::object_protocol::automatic,
               {.writes = 4, .home_writes = false, .protocols = 3});
}

TEST_P(object_programs_test, counters_change_to_updates_in_place) {
  run_counters(far::object_protocol::update_in_place,
               {.writes = 4, .home_writes = false, .protocols = 4});
}

TEST_P(object_programs_test, counters_migrate) {
  run_counters(far::object_protocol::invalidate, {.writes = 6, .favours = true});
}

TEST_P(object_programs_test, counters_migrate_and_change_protocols) {
  run_counters(far::object_protocol::automatic, {.writes = 6, .protocols = 3, .favours = true});
}

TEST_P(object_programs_test, counters_migrate_and_change_to_updates_in_place) {
  run_counters(far::object_protocol::update_in_place,
               {.writes = 6, .protocols = 4, .favours = true});
}

TEST_P(object_programs_test, objects_migrate) {
  run_programs({.heap_bytes = 1 << 20,
                .cache_bytes = 12 << 10,
                .force_protocol = true,
                .protocol = far::object_protocol::invalidate,
                .migrate_after = 1});
}

TEST_P(object_programs_test, counters_do_everything) {
  run_counters(far::object_protocol::update_in_place,
               {.writes = 6, .protocols = 4, .favours = true});
}

/// The values that reads must return are in this process.
std::vector<far::test::ranks> in_one_process() {
  auto modes = far::test::all_modes({1, 2, 3});
  std::erase_if(modes, [](const far::test::ranks& r) {
    return r.mode != far::job_mode::threads && r.mode != far::job_mode::fibers;
  });
  return modes;
}

INSTANTIATE_TEST_SUITE_P(on, object_programs_test, ::testing::ValuesIn(in_one_process()),
                         far::test::name_of);

}  // namespace
