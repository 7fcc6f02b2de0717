#pragma once
// What the tests of a cached array's choice share: programs, each of which shall take at most 1.2
// times as long with caching::automatic as with the better of always and never, by the clock of a
// simulated machine. (A choice cannot be as good as the better one: it has to try both.)

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/array/cached_array.hpp"
#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "far/world/run.hpp"
#include "far/world/world.hpp"

namespace far::test::choice {

using reals = cached_array<double>;
using words = cached_array<std::uint64_t>;

inline cached_array_options options(caching how, std::uint64_t chunk, std::uint64_t cache_bytes) {
  return {.chunk = chunk, .begins = {}, .cache_bytes = cache_bytes, .how = how};
}

/// The time of `steps` calls of step(k) by all ranks, from a barrier to a barrier.
template <class Step>
std::uint64_t time_of(const world& world, int steps, Step step) {
  barrier(world);
  const std::uint64_t begin = world.now();
  for (int k = 0; k < steps; ++k) step(k);
  barrier(world);
  return world.now() - begin;
}

/// Each vertex reads the values of its in-neighbors, and each rank publishes its own vertices.
inline std::uint64_t page_rank(world& world, caching how) {
  constexpr std::uint64_t vertices = 5000;
  constexpr std::uint64_t edges_each = 10;
  const auto how_all = options(how, 128, 1 << 20);
  const reals even(world, vertices, how_all);
  const reals odd(world, vertices, how_all);
  base::random random(7 + static_cast<std::uint64_t>(world.rank()));
  std::vector<std::uint64_t> sources((even.local_end() - even.local_begin()) * edges_each);
  for (std::uint64_t& source : sources) {  // some have many out-neighbors
    source = std::min(random.below(vertices), random.below(vertices));
  }
  return time_of(world, 6, [&](int step) {
    const reals& from = step % 2 == 0 ? even : odd;
    const reals& to = step % 2 == 0 ? odd : even;
    std::size_t edge = 0;
    for (std::uint64_t v = to.local_begin(); v < to.local_end();) {
      std::vector<double> sums(std::min(to.chunk_size(), to.local_end() - v));
      for (double& sum : sums) {
        for (std::uint64_t k = 0; k < edges_each; ++k) sum += from.get(sources[edge++]);
      }
      const auto pin = to.pin_write(v);
      std::ranges::copy(sums, pin.elements().begin());
      v += sums.size();
    }
    (void)allreduce(world, 1.0);
  });
}

/// Products of a sparse matrix and a vector, of which each rank then sets its part.
inline std::uint64_t conjugate_gradient(world& world, caching how) {
  constexpr std::uint64_t rows = 1400;
  constexpr std::uint64_t columns_each = 12;
  const reals p(world, rows, options(how, 512, 1 << 20));
  base::random random(3 + static_cast<std::uint64_t>(world.rank()));
  std::vector<std::uint64_t> columns((p.local_end() - p.local_begin()) * columns_each);
  for (std::uint64_t& column : columns) column = random.below(rows);
  return time_of(world, 12, [&](int) {
    std::vector<double> q;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k % columns_each == 0) q.push_back(0);
      q.back() += p.get(columns[k]);
    }
    (void)allreduce(world, 1.0);
    for (std::uint64_t i = p.local_begin(); i < p.local_end(); ++i) {
      p.put(i, q[i - p.local_begin()]);
    }
    (void)allreduce(world, 1.0);
  });
}

/// Counts of which a few are common; the cache has room for an eighth. So many that what it costs
/// to find out what pays, on ib-2006 as much as 3,400 updates, is a small part.
inline std::uint64_t zipf_updates(world& world, caching how) {
  constexpr std::uint64_t n = 1 << 16;
  const words counts(world, n, options(how, 128, n));
  base::random random(5 + static_cast<std::uint64_t>(world.rank()));
  return time_of(world, 32000, [&](int) {
    // The density of 1 / x, from 1 to n.
    const double u = static_cast<double>(random.below(1 << 30)) / (1 << 30);
    const auto i = static_cast<std::uint64_t>(std::pow(static_cast<double>(n), u)) - 1;
    counts.apply(i, std::uint64_t{1}, std::plus<>());
  });
}

/// The cache has room for a sixteenth.
inline std::uint64_t uniform_random(world& world, caching how) {
  constexpr std::uint64_t n = 1 << 16;
  const words a(world, n, options(how, 128, n / 2));
  base::random random(11 + static_cast<std::uint64_t>(world.rank()));
  return time_of(world, 12000, [&](int step) {
    const std::uint64_t i = random.below(n);
    step % 2 == 0 ? a.put(i, i) : (void)a.get(i);
  });
}

/// Elements that all ranks read and change.
inline std::uint64_t contended(world& world, caching how) {
  const words a(world, 1024, options(how, 64, 1 << 20));
  base::random random(13 + static_cast<std::uint64_t>(world.rank()));
  return time_of(world, 6000, [&](int step) {
    const std::uint64_t i = random.below(1024);
    step % 2 == 0 ? a.put(i, i) : (void)a.get(i);
  });
}

/// a[i] = b[i] + c[i], in parts of another rank.
inline std::uint64_t streams(world& world, caching how) {
  constexpr std::uint64_t each = 4096;
  const auto ranks = static_cast<std::uint64_t>(world.size());
  const auto how_all = options(how, 128, 32 << 10);
  const reals a(world, each * ranks, how_all);
  const reals b(world, each * ranks, how_all);
  const reals c(world, each * ranks, how_all);
  const std::uint64_t first = (static_cast<std::uint64_t>(world.rank()) + 1) % ranks * each;
  return time_of(world, each, [&](int step) {
    const std::uint64_t i = first + static_cast<std::uint64_t>(step);
    a.put(i, b.get(i) + c.get(i));
  });
}

struct program {
  const char* name;
  std::uint64_t (*run)(world&, caching);
};
inline std::ostream& operator<<(std::ostream& out, const program& p) { return out << p.name; }

class on_machines : public testing::TestWithParam<program> {
 protected:
  static std::uint64_t time_of(caching how, const std::string& profile, int per_node) {
    std::uint64_t result = 0;
    run_options machine{.ranks = 8, .mode = job_mode::fibers, .profile = profile};
    machine.ranks_per_node = per_node;
    far::run(machine, [&](world& world) {
      const std::uint64_t took = GetParam().run(world, how);
      if (world.rank() == 0) result = took;
    });
    return result;
  }

  static void expect_good_choice(const std::string& profile, int per_node) {
    const std::uint64_t always = time_of(caching::always, profile, per_node);
    const std::uint64_t never = time_of(caching::never, profile, per_node);
    const std::uint64_t chosen = time_of(caching::automatic, profile, per_node);
    EXPECT_LE(static_cast<double>(chosen), 1.2 * static_cast<double>(std::min(always, never)))
        << GetParam().name << " on " << profile << ": always " << always << " ns, never " << never
        << " ns";
  }
};

inline auto programs() {
  return testing::Values(
      program{"page_rank", page_rank}, program{"conjugate_gradient", conjugate_gradient},
      program{"zipf_updates", zipf_updates}, program{"uniform_random", uniform_random},
      program{"contended", contended}, program{"streams", streams});
}
inline std::string name_of(const testing::TestParamInfo<program>& of) { return of.param.name; }

}  // namespace far::test::choice
