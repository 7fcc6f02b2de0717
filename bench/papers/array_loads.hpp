#pragma once
// The loads of darray, section 6: sweeps over a whole array, and updates and accesses at random.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "bench/harness/zipf.hpp"
#include "bench/papers/array_jobs.hpp"
#include "bench/papers/array_users.hpp"
#include "far/array/cached/access_work.hpp"
#include "far/base/random.hpp"

namespace far::bench {

inline constexpr std::uint64_t chunk_words = 512;

/// Arrays of 8-byte words, and the number of accesses. The paper's array has 0.78 GB at each node.
struct array_sizes {
  std::uint64_t node_chunks = 128;  ///< of the array at each node, of 4 KB
  std::uint64_t cache_chunks = 0;   ///< that a node's cache holds; 0: the default, 16 MB
  std::uint64_t sample = 0;         ///< sweeps access so many elements of each part; 0: all
  std::uint64_t warm_up = 0;        ///< accesses of each thread before those that are measured
  std::uint64_t accesses = 0;       ///< measured accesses of each thread; not of sweeps
  caching how = caching::automatic;

  [[nodiscard]] std::uint64_t part_words() const noexcept { return node_chunks * chunk_words; }
};

namespace detail {

template <class User>
typename User::array_type make_array(const world& world, const array_sizes& sizes) {
  const std::uint64_t words = sizes.part_words() * static_cast<std::uint64_t>(world.size());
  if constexpr (std::is_same_v<typename User::array_type, array<std::uint64_t>>) {
    return {world, words};
  } else {
    cached_array_options how;
    how.chunk = chunk_words;
    how.cache_bytes = sizes.cache_chunks * chunk_words * sizeof(std::uint64_t);
    how.how = sizes.how;
    return {world, words, how};
  }
}

/// Runs body(view, number) on all threads of all ranks, which begin together; `number` counts the
/// job's threads. A single thread is the rank's own: one that waited beside it would serve other
/// ranks meanwhile.
template <class Body>
void on_threads(world& world, int threads, Body body) {
  barrier(world);
  if (threads == 1) return body(world, static_cast<std::uint64_t>(world.rank()));
  world.threads(threads, [&](far::world& thread) {
    body(thread, static_cast<std::uint64_t>(world.rank() * threads + thread.thread()));
  });
}

}  // namespace detail

/// Each thread accesses all elements in order, from its own share on; of each node's part at most
/// `sample`.
template <class User>
array_load sweep(const array_sizes& sizes, array_access how) {
  return [=](world& world, int threads, access_log& log) {
    const auto a = detail::make_array<User>(world, sizes);
    const auto nodes = static_cast<std::uint64_t>(world.size());
    const auto all_threads = static_cast<std::uint64_t>(threads) * nodes;
    const std::uint64_t part = sizes.sample > 0 ? sizes.sample : sizes.part_words();
    const std::uint64_t count = part * nodes;
    detail::on_threads(world, threads, [&](far::world& thread, std::uint64_t number) {
      User user(a, thread);
      const std::uint64_t first = count * number / all_threads;
      const std::uint64_t begin = thread.now();
      for (std::uint64_t done = 0; done < count; ++done) {
        const std::uint64_t k = (first + done) % count;
        access_by(user, how, k / part * sizes.part_words() + k % part);
      }
      log.add(begin, thread.now(), count);
    });
  };
}

/// The same reads through a pin of each chunk.
array_load pinned_sweep(const array_sizes& sizes);

/// Each thread makes accesses at random places, by a Zipf distribution of skewness 0.99 (anywhere
/// in the array) or, if `uniform`, all equally often.
template <class User>
array_load at_random(const array_sizes& sizes, array_access how, bool uniform) {
  constexpr double skew = 0.99;
  return [=](world& world, int threads, access_log& log) {
    const auto a = detail::make_array<User>(world, sizes);
    const std::uint64_t words = sizes.part_words() * static_cast<std::uint64_t>(world.size());
    const std::uint64_t all = sizes.warm_up + sizes.accesses;
    detail::on_threads(world, threads, [&](far::world& thread, std::uint64_t number) {
      User user(a, thread);
      std::vector<std::uint64_t> places;
      if (uniform) {
        base::random random(base::mix(number + 1));
        for (std::uint64_t i = 0; i < all; ++i) places.push_back(random.below(words));
      } else {
        places = scrambled_zipf(words, skew, all, number + 1);
      }
      for (std::uint64_t i = 0; i < sizes.warm_up; ++i) access_by(user, how, places[i]);
      const std::uint64_t begin = thread.now();
      for (std::uint64_t i = sizes.warm_up; i < all; ++i) access_by(user, how, places[i]);
      log.add(begin, thread.now(), sizes.accesses);
    });
  };
}

}  // namespace far::bench
