// far::cached_array on every fabric, with the protocol forced, and without.

#include "far/array/cached_array_test.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <ranges>
#include <shared_mutex>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::cached_array;
using far::cached_array_options;
using far::test::all_options;
using far::test::point;

using cached_array_test = far::test::on_ranks;

TEST_P(cached_array_test, every_rank_sees_every_element) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const auto n = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 60, 1000));
      const cached_array<std::uint64_t> a(world, n, how);
      for (const std::uint64_t i : a.local_indices()) {
        EXPECT_EQ(a.get(i), 0);
        EXPECT_EQ(a.owner(i), world.rank());
      }
      far::barrier(world);
      const auto size = static_cast<std::uint64_t>(world.size());
      for (std::uint64_t i = static_cast<std::uint64_t>(world.rank()); i < n; i += size) {
        a.put(i, i * i);
      }
      far::barrier(world);
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(a.get(i), i * i) << i;
      EXPECT_THROW((void)a.get(n), far::out_of_bounds);
    }
  });
}

static_assert(std::ranges::random_access_range<cached_array<int>>);
static_assert(std::ranges::sized_range<decltype(std::declval<cached_array<int>&>().relaxed())>);

TEST_P(cached_array_test, elements_are_a_range) {
  run([](far::world& world) {
    if (world.fabric().name() == "sim" && world.size() > 32) return;  // too many accesses
    for (const cached_array_options& how : all_options(world)) {
      const cached_array<std::uint64_t> a(world, 11, how);
      for (const std::uint64_t i : a.local_indices()) a.put(i, 3 * i);
      far::barrier(world);
      const auto found = std::ranges::find_if(a, [](std::uint64_t x) { return x > 20; });
      ASSERT_NE(found, a.end());
      EXPECT_EQ(found.index(), 7u);
      EXPECT_EQ(std::ranges::lower_bound(a, 15u) - a.begin(), 5);
      std::uint64_t sum = 0;
      for (const std::uint64_t x : a.relaxed()) sum += x;
      EXPECT_EQ(sum, 3 * 55u);
      far::barrier(world);
    }
  });
}

TEST_P(cached_array_test, operands_are_merged_once) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const int rounds = far::test::rounds_in_sim(world, 180, 2000);
      const std::uint64_t n = world.fabric().name() == "sim" ? 2 : 17;
      const cached_array<std::uint64_t> sums(world, n, how);
      const cached_array<std::int64_t> lows(world, n, how);
      for (int k = 0; k < rounds; ++k) {
        sums.apply(static_cast<std::uint64_t>(k) % n, std::uint64_t{1}, std::plus<>());
        lows.apply(static_cast<std::uint64_t>(k) % n, static_cast<std::int64_t>(-world.rank()),
                   far::minimum());
        if (k % 50 == 49) (void)sums.get(static_cast<std::uint64_t>(k) % n);
      }
      far::barrier(world);
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        sum += sums.get(i);
        if (i < static_cast<std::uint64_t>(rounds)) {
          EXPECT_EQ(lows.get(i), 1 - world.size());
        }
      }
      EXPECT_EQ(sum, static_cast<std::uint64_t>(rounds * world.size()));
      far::barrier(world);
    }
  });
}

TEST_P(cached_array_test, ranges_span_parts) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const auto n = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 40, 3000));
      const cached_array<std::uint32_t> a(world, n, how);
      std::vector<std::uint32_t> values(n);
      std::iota(values.begin(), values.end(), 7u);
      if (world.rank() == 0) a.put(0, values);
      far::barrier(world);
      std::vector<std::uint32_t> got(n);
      a.get(0, got);
      EXPECT_EQ(got, values);
      far::barrier(world);
      EXPECT_THROW(a.get(1, got), far::out_of_bounds);
    }
  });
}

TEST_P(cached_array_test, large_elements_are_whole) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const int rounds = far::test::rounds_in_sim(world, 80, 150);
      const cached_array<point> a(world, 5, how);
      for (int k = 0; k < rounds; ++k) {
        const auto x = static_cast<std::uint64_t>(k * world.size() + world.rank());
        a.put(static_cast<std::uint64_t>(k % 5), {x, ~x + 1, static_cast<std::uint32_t>(x)});
        const point p = a.get(static_cast<std::uint64_t>((k + 1) % 5));
        ASSERT_EQ(p.x + p.y, 0u);
        ASSERT_EQ(p.z, static_cast<std::uint32_t>(p.x));
      }
      far::barrier(world);
    }
  });
}

TEST_P(cached_array_test, locks_exclude) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const int rounds = far::test::rounds_in_sim(world, 150, 50);
      const cached_array<std::uint64_t> a(world, 10, how);
      for (int k = 0; k < rounds; ++k) {
        const std::uint64_t i = k % 2 == 0 ? 3 : 9;
        auto lock = a.lock_of(i);
        {
          const std::scoped_lock held(lock);
          a.put(i, a.get(i) + 1);
        }
        const std::shared_lock shared(lock);
        EXPECT_GE(a.get(i), static_cast<std::uint64_t>(k / 2 + 1));
      }
      far::barrier(world);
      EXPECT_EQ(a.get(3) + a.get(9), static_cast<std::uint64_t>(rounds * world.size()));
      auto lock = a.lock_of(0);
      if (world.rank() == 0) {
        ASSERT_TRUE(lock.try_lock());
        EXPECT_FALSE(lock.try_lock_shared());
        lock.unlock();
      }
      far::barrier(world);
    }
  });
}

TEST_P(cached_array_test, pins_hold_their_chunk) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const int rounds = far::test::rounds_in_sim(world, 150, 50);
      const cached_array<std::uint64_t> a(world, 20, how);
      auto lock = a.lock_of(7);
      for (int k = 0; k < rounds; ++k) {
        const std::scoped_lock held(lock);
        const auto pin = a.pin_write(7);
        for (std::uint64_t& x : pin.elements()) ++x;
      }
      far::barrier(world);
      {
        const auto pin = a.pin_operate<std::plus<>>(7);
        for (std::uint64_t i = 0; i < pin.size(); ++i) pin.apply(pin.first() + i, 1);
      }
      far::barrier(world);
      const auto pin = a.pin_read(7);
      for (const std::uint64_t x : pin.elements()) {
        EXPECT_EQ(x, static_cast<std::uint64_t>((rounds + 1) * world.size()));
      }
      EXPECT_EQ(pin[7], a.get(7));
      far::barrier(world);  // from here on all ranks may read, and none may write
      if (world.size() > 1 && (how.force_protocol || !world.fabric().coherent())) {
        EXPECT_THROW(a.put(7, 1), far::bad_argument);  // under a weaker pin
      }
      far::barrier(world);
    }
  });
}

TEST_P(cached_array_test, batches_equal_single_accesses) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const auto n = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 60, 500));
      const cached_array<std::uint64_t> a(world, n, how);
      far::base::random random(1);
      std::vector<std::uint64_t> indices;
      std::vector<std::uint64_t> operands;
      std::vector<std::uint64_t> expected(n);
      for (std::uint64_t k = 0; k < n; ++k) {
        indices.push_back(random.below(n));
        operands.push_back(k);
        expected[indices.back()] += k * static_cast<std::uint64_t>(world.size());
      }
      a.apply_many(indices, operands, std::plus<>());
      far::barrier(world);
      const std::vector<std::uint64_t> got = a.get_many(indices);
      for (std::size_t k = 0; k < indices.size(); ++k) EXPECT_EQ(got[k], expected[indices[k]]);
      operands.pop_back();
      EXPECT_THROW(a.apply_many(indices, operands, std::plus<>()), far::bad_argument);
      far::barrier(world);
    }
  });
}

TEST_P(cached_array_test, algorithms_visit_every_element) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const std::uint64_t n = 100;
      const cached_array<std::uint64_t> a(world, n, how);
      far::fill(a, 2);
      a.apply(static_cast<std::uint64_t>(world.rank()), std::uint64_t{2}, std::multiplies<>());
      far::for_each(a, [](std::uint64_t i, std::uint64_t& x) { x += i; });
      EXPECT_EQ(far::reduce(a, 1),
                1 + 2 * n + n * (n - 1) / 2 + 2 * static_cast<std::uint64_t>(world.size()));
    }
  });
}

TEST_P(cached_array_test, uneven_partitions) {
  run([](far::world& world) {
    for (cached_array_options how : all_options(world)) {
      const std::uint64_t n = 30;
      how.begins.assign(static_cast<std::size_t>(world.size()), n);
      how.begins.front() = 0;
      const cached_array<std::uint64_t> a(world, n, how);
      a.apply(n - 1, std::uint64_t{1}, std::plus<>());
      far::barrier(world);
      EXPECT_EQ(a.get(n - 1), static_cast<std::uint64_t>(world.size()));
      EXPECT_EQ(a.owner(n - 1), 0);
      const cached_array<std::uint64_t> nothing(world, 0, how = {});
      EXPECT_TRUE(nothing.empty());
    }
  });
}

// Chunks that do not fit in a message: their data are written one-sided.
TEST_P(cached_array_test, large_chunks_travel) {
  run([](far::world& world) {
    const std::uint64_t chunk = world.fabric().name() == "sim" ? 256 : 2048;
    const auto ranks = static_cast<std::uint64_t>(world.size());
    const auto self = static_cast<std::uint64_t>(world.rank());
    const cached_array<std::uint64_t> a(
        world, chunk * ranks,
        {.chunk = chunk, .begins = {}, .cache_bytes = 1, .force_protocol = true});
    const std::uint64_t next = (self + 1) % ranks * chunk;
    a.put(next + 1 + self, 5);
    a.apply(next, self, std::plus<>());
    a.apply(next + 1 + self, std::uint64_t{2}, std::plus<>());
    far::barrier(world);
    const std::uint64_t author = (self + 1) % ranks;  // wrote the part of the rank after it
    const std::uint64_t after = (author + 1) % ranks * chunk;
    EXPECT_EQ(a.get(after), author);
    EXPECT_EQ(a.get(after + 1 + author), 7u);
    far::barrier(world);
  });
}

// A rank that hits one chunk without pause still gives it up.
TEST_P(cached_array_test, a_flag_is_seen) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const cached_array<std::uint32_t> flag(world, 4, how);
      if (world.rank() == world.size() - 1) {
        flag.put(0, 1);
      } else {
        while (flag.get(0) == 0) {
        }
      }
      far::barrier(world);
    }
  });
}

TEST_P(cached_array_test, threads_share_a_rank) {
  run([](far::world& world) {
    for (const cached_array_options& how : all_options(world)) {
      const int rounds = far::test::rounds_in_sim(world, 150, 400);
      const cached_array<std::uint64_t> a(world, 8, how);
      world.threads(2, [&](far::world& mine) {
        const auto view = a.on(mine);
        for (int k = 0; k < rounds; ++k) {
          view.apply(static_cast<std::uint64_t>(k % 8), std::uint64_t{1}, std::plus<>());
          if (k % 20 == 0) (void)view.get(0);
        }
      });
      far::barrier(world);
      EXPECT_EQ(far::reduce(a, 0), static_cast<std::uint64_t>(2 * rounds * world.size()));
    }
  });
}

TEST_P(cached_array_test, a_cache_full_of_pins_says_so) {
  run([](far::world& world) {
    const cached_array_options how{
        .chunk = 1, .begins = {}, .cache_bytes = 1, .force_protocol = true};
    const cached_array<std::uint64_t> a(world, 12, how);
    if (world.rank() == 1) {
      std::vector<far::read_pin<std::uint64_t>> pins;
      EXPECT_THROW(
          {
            for (std::uint64_t i = 0; i < 12; ++i) {
              if (a.owner(i) != world.rank()) pins.push_back(a.pin_read(i));
            }
          },
          far::bad_argument);
      EXPECT_EQ(pins.size(), 2u);
    }
    far::barrier(world);
  });
}

INSTANTIATE_FAR_MODES(cached_array_test);

}  // namespace
