// Ways of accessing a cached array that are chosen: relaxed views, futures, past the cache.

#include <atomic>
#include <cstdint>
#include <functional>
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
        for (std::uint64_t i = self; i < 9; i += ranks) relaxed.set(i, round * i);
        far::barrier(world);
        for (std::uint64_t i = 0; i < 9; ++i) EXPECT_EQ(relaxed.get(i), round * i);
        EXPECT_EQ(a.get(8), round * 8);
        far::barrier(world);
      }
    }
  });
}

TEST_P(cached_access_test, futures_of_elements) {
  run([](far::world& world) {
    for (cached_array_options how : all_options(world)) {
      if (world.rank() % 2 == 1) how.how = far::caching::never;
      const auto n = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 40, 500));
      const cached_array<std::uint64_t> a(world, n, how);
      const cached_array<point> points(world, 5, how);
      const auto self = static_cast<std::uint64_t>(world.rank());
      const auto ranks = static_cast<std::uint64_t>(world.size());
      std::vector<far::future<void>> sets;
      for (std::uint64_t i = self; i < n; i += ranks) sets.push_back(a.set_async(i, i + 1));
      sets.push_back(points.set_async(self % 5, {1, ~std::uint64_t{1} + 1, 1}));
      for (auto& done : sets) done.get();
      far::barrier(world);
      std::vector<far::future<std::uint64_t>> gets;
      for (std::uint64_t i = 0; i < n; ++i) gets.push_back(a.get_async((i * 7) % n));
      for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(gets[i].get(), (i * 7) % n + 1);
      const point p = points.get_async(self % 5).get();
      EXPECT_EQ(p.x + p.y, 0u);
      EXPECT_EQ(p.z, 1u);
      EXPECT_EQ(a.get(n - 1), n);
      EXPECT_THROW((void)a.get_async(n), far::out_of_bounds);
      far::barrier(world);
    }
  });
}

/// Writes an element, and reads another one.
far::future<std::uint64_t> set_and_get(far::world& world, std::uint64_t i, std::uint64_t value) {
  const auto view = world.state().get<called_array>().array->on(world);
  const std::uint64_t n = view.size();
  return view.set_async(i, value).then([view, j = (i * 7) % n] { return view.get_async(j); });
}

TEST_P(cached_access_test, futures_in_functions_of_other_ranks) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const auto n = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 20, 300));
      const cached_array<std::uint64_t> a(world, n, how);
      world.state().get<called_array>().array = &a;
      fill(a, 0);
      const auto ranks = static_cast<std::uint64_t>(world.size());
      std::vector<far::future<std::uint64_t>> calls;
      for (std::uint64_t i = static_cast<std::uint64_t>(world.rank()); i < n; i += ranks) {
        (void)a.get(i * 3 % n);  // so that others have rights, too
        const int at = static_cast<int>((i / ranks + i) % ranks);
        calls.push_back(far::rpc<set_and_get>(world, at, i, i + 1));
      }
      for (std::size_t k = 0; k < calls.size(); ++k) {
        const std::uint64_t i = static_cast<std::uint64_t>(world.rank()) + k * ranks;
        const std::uint64_t j = (i * 7) % n;
        const std::uint64_t value = calls[k].get();
        EXPECT_TRUE(value == 0 || value == j + 1) << value;
      }
      far::barrier(world);
      for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(a.get(i), i + 1);
      far::barrier(world);
    }
  });
}

TEST_P(cached_access_test, futures_inside_pins) {
  run([](far::world& world) {
    const cached_array<std::uint64_t> a(
        world, 4, {.chunk = 4, .begins = {}, .cache_bytes = 1, .force_protocol = true});
    const int rounds = far::test::rounds_in_sim(world, 60, 100);
    for (int i = 0; i < rounds; ++i) {
      if (world.rank() == 0) {
        a.set(0, static_cast<std::uint64_t>(i));
      } else {
        const auto pin = a.pin_read(0);
        // Another rank may wait for the pin's end, so the home could not answer.
        EXPECT_EQ(a.get_async(0).get(), pin[0]);
      }
    }
    far::barrier(world);
    EXPECT_EQ(a.get(0), static_cast<std::uint64_t>(rounds - 1));
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
        a.apply(i, std::plus<>(), std::uint64_t{1});
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
      for (int use = 0; use < 5; ++use) a.set(5, a.get(6));
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

// A thread that has a future in flight and makes no progress, because it hits, must not keep others
// from the future's chunk.
TEST_P(cached_access_test, futures_do_not_hold_up_others) {
  run([](far::world& world) {
    const bool waits = world.rank() == 1;
    cached_array_options how{.chunk = 4, .begins = {}, .cache_bytes = 1, .force_protocol = true};
    how.how = far::caching::always;
    const cached_array<std::uint64_t> flag(world, 12, how);
    if (waits) how.how = far::caching::never;
    const cached_array<std::uint64_t> a(world, 12, how);
    if (waits) (void)a.get(0);  // now it has the right to access the home directly
    far::barrier(world);
    if (waits) {
      auto value = a.get_async(0);
      while (flag.get(0) == 0) {
      }
      EXPECT_LE(value.get(), 7u);
    } else if (world.rank() == (world.size() > 2 ? 2 : 0)) {
      a.set(0, 7);
      flag.set(0, 1);
    }
    far::barrier(world);
  });
}

INSTANTIATE_FAR_MODES(cached_access_test);

}  // namespace
