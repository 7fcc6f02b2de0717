// Shared objects: generated programs of monitors and fields, numbers that are published without
// monitors, threads that wait for each other's turn, and objects that are collected.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "far/base/random.hpp"
#include "far/object/object_space.hpp"
#include "test/mutants/explore.hpp"
#include "test/support/object_counters.hpp"
#include "test/support/object_garbage.hpp"
#include "test/support/object_programs.hpp"

namespace far::mutants {
namespace {

const object_space_options small{
    .heap_bytes = 1 << 20, .cache_bytes = 1 << 20, .protocol = object_protocol::invalidate};
const object_space_options updated{
    .heap_bytes = 1 << 20, .cache_bytes = 1 << 20, .protocol = object_protocol::update};
const object_space_options written{
    .heap_bytes = 1 << 20, .cache_bytes = 1 << 20, .protocol = object_protocol::update_in_place};

void run_counters(world& w, const object_space_options& how, test::object_counters::habits habits) {
  static test::object_counters::ghosts shared;
  object_space space(w, how);
  const test::object_counters program(space, shared, habits);
  w.threads(2, [&](world& own) {
    auto view = space.on(own);
    program.run(view, 40);
  });
  program.check_all();
}

const program counters("object_counters", {.ranks = 3},
                       [](world& w) { run_counters(w, small, {}); });
const program sent_counters("updated_counters", {.ranks = 3}, [](world& w) {
  run_counters(w, updated, {.writes = 6, .home_writes = false});
});

const program written_counters("written_counters", {.ranks = 3}, [](world& w) {
  run_counters(w, written, {.writes = 12, .home_writes = false});
});

/// Each thread of the home changes its own number, and what it publishes has those of others, too.
/// So changes of one number that wait for the same write have different values of it.
const program home_numbers("home_numbers", {.ranks = 2}, [](world& w) {
  using numbers = std::array<std::uint64_t, 3>;
  static numbers published;
  static base::random choices(0);
  object_space space(w, written);
  if (w.rank() == 0) {
    published = {};
    choices = base::random(0);
    space.set_root("numbers", space.make<numbers>());
  }
  space.barrier();
  const auto at = space.root<numbers>("numbers");
  for (int i = 0; i < 3; ++i) {  // so that rank 1 keeps its copy
    (void)space.read(at);
    space.barrier();
  }
  w.threads(numbers().size(), [&](world& own) {
    auto view = space.on(own);
    const auto me = static_cast<std::size_t>(own.thread());
    for (std::uint64_t i = 2; i <= 40 && own.rank() == 0; i += 2) {
      view.write(at)[me] = i - 1;
      for (std::uint64_t n = choices.below(4); n > 0; --n) own.progress();
      view.write(at)[me] = i;
      view.publish();
      published[me] = i;
    }
    for (int looks = 0; looks < 60 && own.rank() == 1 && me == 0; ++looks) {
      const numbers least = published;
      view.refresh();
      const numbers seen = view.read(at);
      for (std::size_t t = 0; t < seen.size(); ++t) {
        check(seen[t] >= least[t], "a published change is not seen");
      }
      for (std::uint64_t n = choices.below(4); n > 0; --n) own.progress();
    }
  });
  space.barrier();
  check(space.read(at) == published, "a change is lost");
  space.barrier();
});

const program fields("object_fields", {.ranks = 3}, [](world& w) {
  static test::shadows shared;
  object_space space(w, small);
  const test::object_program program(space, shared);
  w.threads(2, [&](world& own) {
    auto view = space.on(own);
    program.run(view, 30);
  });
  program.check_all();
});

const program garbage("object_garbage", {.ranks = 3}, [](world& w) {
  object_space space(w, {.heap_bytes = 1 << 19, .cache_bytes = 1 << 19});
  const test::object_garbage program(space);
  w.threads(2, [&](world& own) {
    auto view = space.on(own);
    program.run(view, w.fabric().now(), 60);
  });
  program.check_all();
});

/// Each rank has its turn, and then waits for the next one.
const program turns("object_turns", {.ranks = 3}, [](world& w) {
  object_space space(w, small);
  if (w.rank() == 0) space.set_root("turn", space.make<std::uint64_t>());
  space.barrier();
  const auto turn = space.root<std::uint64_t>("turn");
  const auto size = static_cast<std::uint64_t>(w.size());
  auto monitor = space.monitor(turn);
  monitor.lock();
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t mine = i * size + static_cast<std::uint64_t>(w.rank());
    monitor.wait([&] { return space.read(turn) == mine; });
    ++space.write(turn);
    monitor.notify_all();
  }
  monitor.unlock();
  space.barrier();
  check(space.read(turn) == 3 * size, "a turn is lost");
  space.barrier();
});

/// Nobody is notified: each wait ends at its deadline.
const program waits("object_waits", {.ranks = 3}, [](world& w) {
  object_space space(w, small);
  if (w.rank() == 0) space.set_root("place", space.make<std::uint64_t>());
  space.barrier();
  auto monitor = space.monitor(space.root<std::uint64_t>("place"));
  for (int i = 0; i < 5; ++i) {
    monitor.lock();
    check(!monitor.wait_for(std::chrono::nanoseconds(1)), "a notification that nobody has sent");
    monitor.unlock();
  }
  space.barrier();
});

}  // namespace
}  // namespace far::mutants
