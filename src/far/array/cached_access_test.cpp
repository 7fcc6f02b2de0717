// Ways of accessing a cached array that are chosen: relaxed views, in functions, past the cache.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/array/cached_array_test.hpp"
#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::cached_array;
using far::cached_array_options;
using far::test::all_options;
using far::test::point;

using cached_access_test = far::test::on_ranks;

/// The array that functions of other ranks access.
struct called_array {
  explicit called_array(far::rank_state&) {}
  const cached_array<std::uint64_t>* array = nullptr;
};

TEST_P(cached_access_test, relaxed_views_see_what_was_synchronized) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const cached_array<std::uint64_t> a(world, 9, how);
      const auto relaxed = a.relaxed();
      const auto ranks = static_cast<std::uint64_t>(world.size());
      if (world.fabric().name() == "sim" && ranks > 8) return;
      for (std::uint64_t round = 1; round < 3; ++round) {
        const auto self = static_cast<std::uint64_t>(world.rank());
        for (std::uint64_t i = self; i < 9; i += ranks) relaxed.put(i, round * i);
        far::barrier(world);
        for (std::uint64_t i = 0; i < 9; ++i) EXPECT_EQ(relaxed.get(i), round * i);
        EXPECT_EQ(a.get(8), round * 8);
        far::barrier(world);
      }
    }
  });
}

/// What a function of another rank reads, or nothing where it would have to wait.
std::optional<std::uint64_t> change_there(far::world& world, std::uint64_t i, std::uint64_t value) {
  const auto view = world.state().get<called_array>().array->on(world);
  try {
    const std::uint64_t before = view.get(i);
    view.put(i, value);
    return before;
  } catch (const far::bad_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find("let the caller access it"), std::string::npos);
    return std::nullopt;
  }
}

TEST_P(cached_access_test, functions_of_other_ranks_access_what_is_here) {
  run([](far::world& world) {
    if (world.size() == 1) return;
    cached_array_options how{.chunk = 2, .begins = {}, .cache_bytes = 0, .force_protocol = true};
    how.how = far::caching::always;
    const cached_array<std::uint64_t> a(world, 8, how);
    world.state().get<called_array>().array = &a;
    for (std::uint64_t i = a.local_begin(); i < a.local_end(); ++i) a.put(i, i + 1);
    far::barrier(world);
    if (world.rank() == 1) {
      EXPECT_EQ(far::rpc<change_there>(world, 0, std::uint64_t{0}, std::uint64_t{7}).get(), 1u);
      EXPECT_EQ(a.get(0), 7u);  // which leaves the home the right to read
      EXPECT_EQ(far::rpc<change_there>(world, 0, std::uint64_t{0}, std::uint64_t{8}).get(),
                std::nullopt);
      a.put(0, 9);
      EXPECT_EQ(far::rpc<change_there>(world, 0, std::uint64_t{0}, std::uint64_t{8}).get(),
                std::nullopt);
      EXPECT_EQ(a.get(0), 9u);
    }
    far::barrier(world);
  });
}

/// Eight elements of rank 0 in chunks of two; the others' caches have two lines.
cached_array_options of_rank_0(const far::world& world) {
  cached_array_options how{.chunk = 2, .begins = {}, .cache_bytes = 1, .force_protocol = true};
  how.begins.assign(static_cast<std::size_t>(world.size()), 8);
  how.begins[0] = 0;
  how.how = far::caching::always;
  return how;
}

// A thread needs a line while another one pins all of them, until the other one sees it come.
TEST_P(cached_access_test, a_thread_waits_for_pins_of_others) {
  run([](far::world& world) {
    const cached_array<std::uint64_t> a(world, 8, of_rank_0(world));
    if (world.rank() == 1) {
      std::atomic<int> threads = 0;
      std::atomic<bool> are_pinned = false;
      std::atomic<bool> begins_to_wait = false;
      world.threads(2, [&](far::world& mine) {
        const auto view = a.on(mine);
        if (threads++ == 0) {
          const auto first = view.pin_read(0);
          const auto second = view.pin_read(2);
          EXPECT_THROW((void)view.get(4), far::bad_argument);
          are_pinned = true;
          while (!begins_to_wait) mine.progress();
          for (int i = 0; i < 20; ++i) mine.progress();
        } else {
          while (!are_pinned) mine.progress();
          begins_to_wait = true;
          EXPECT_EQ(view.get(6), 0u);
        }
      });
    }
    far::barrier(world);
  });
}

// A thread needs a line. One is pinned, and the other one is in use by a thread that hits it all
// the time, and does nothing else that would wake anybody.
TEST_P(cached_access_test, hits_do_not_keep_a_line_from_others) {
  run([](far::world& world) {
    const cached_array<std::uint64_t> a(world, 8, of_rank_0(world));
    if (world.rank() == 1) {
      std::atomic<int> threads = 0;
      std::atomic<bool> in_use = false;
      std::atomic<bool> done = false;
      world.threads(2, [&](far::world& mine) {
        const auto view = a.on(mine);
        if (threads++ == 0) {
          (void)view.get(0);
          const auto pin = view.pin_read(0);
          while (!done) {
            (void)view.get(2);
            in_use = true;
          }
        } else {
          while (!in_use) mine.progress();
          for (int i = 0; i < 20; ++i) EXPECT_EQ(view.get(i % 2 == 0 ? 4 : 6), 0u);
          done = true;
        }
      });
    }
    far::barrier(world);
  });
}

TEST_P(cached_access_test, random_accesses_go_past_the_cache) {
  run([](far::world& world) {
    const bool simulated = world.fabric().name() == "sim";
    if (simulated && world.size() > 3) return;
    const std::uint64_t chunk = 4;
    const std::uint64_t n = simulated ? 64 : 4000;
    cached_array_options how{
        .chunk = chunk, .begins = {}, .cache_bytes = 1, .force_protocol = true};
    const cached_array<std::uint64_t> a(world, n, how);
    far::base::random random(static_cast<std::uint64_t>(world.rank()));
    std::uint64_t added = 0;
    for (std::uint64_t k = 0; k < 2 * n; ++k) {
      const std::uint64_t i = random.below(n);
      if (random.below(2) == 0) {
        (void)a.get(i);
      } else {
        a.apply(i, std::uint64_t{1}, std::plus<>());
        ++added;
      }
    }
    far::barrier(world);
    const far::caching_choices choices = a.choices();
    if (world.size() > 1) {
      EXPECT_GT(choices.direct_accesses, 0u);
      EXPECT_GT(choices.direct_regions, 0u);
      EXPECT_NE(a.explain().find("direct"), std::string::npos);
    }
    // With locality, a region is cached again, when direct accesses have taken long enough. How
    // many that are, depends on the machine, except in a simulated job, where a fill counts as two.
    const int rounds = simulated ? 200 : 10'000;
    const auto ranks = static_cast<std::uint64_t>(world.size());
    const std::uint64_t before = choices.regions_returned;
    for (std::uint64_t r = 0; r < ranks; ++r) {
      for (int k = 0; k < rounds && a.choices().regions_returned == before; ++k) {
        (void)a.get(r * n / ranks + static_cast<std::uint64_t>(k) % chunk);
      }
    }
    EXPECT_EQ(far::reduce(a, 0), far::allreduce(world, added, std::plus<>()));
    if (simulated && world.rank() == 1) {
      EXPECT_GT(a.choices().regions_returned, before);
    }
    far::barrier(world);
  });
}

// Once a chunk is published, pins take the fast path. With the protocol a pin for writing excludes
// the other ranks, so increments under it are exact.
TEST_P(cached_access_test, quick_pins_hold_their_chunk) {
  run([](far::world& world) {
    cached_array_options how{.chunk = 4, .begins = {}, .cache_bytes = 1, .force_protocol = true};
    how.how = far::caching::always;
    const cached_array<std::uint64_t> a(world, 24, how);
    const bool simulated = world.fabric().name() == "sim";
    if (simulated && world.size() > 6) return;
    const int rounds = simulated ? 10 : 300;
    for (int k = 0; k < rounds; ++k) {
      for (int use = 0; use < 5; ++use) a.put(5, a.get(6));
      {
        const auto pin = a.pin_write(7);
        const std::uint64_t seen = pin[7];
        if (simulated) world.context().compute(1);
        pin[7] = seen + 1;
      }
      const auto pin = a.pin_read(7);
      const std::uint64_t seen = pin[7];
      (void)a.get(20);  // which may evict others
      EXPECT_EQ(pin[7], seen);
    }
    far::barrier(world);
    EXPECT_EQ(a.get(7), static_cast<std::uint64_t>(rounds * world.size()));
    far::barrier(world);
  });
}

INSTANTIATE_FAR_MODES(cached_access_test);

}  // namespace
