// Hash tables and arrays updated by all ranks.

#include <algorithm>
#include <functional>
#include <vector>

#include "far/array/array.hpp"
#include "far/containers/containers.hpp"
#include "far/team/team.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr auto add = [](std::uint64_t& value, std::uint64_t more) { value += more; };

std::uint64_t ranks_of(const world& w) { return static_cast<std::uint64_t>(w.size()); }

void counts(world& w) {
  constexpr std::uint64_t times = 3;
  const hash_map<std::uint64_t, std::uint64_t> map(w);
  for (std::uint64_t i = 0; i < times; ++i) {
    for (std::uint64_t key = 0; key < 2; ++key) map.update_or_insert(key, std::uint64_t{1}, add);
  }
  barrier(w);
  for (std::uint64_t key = 0; key < 2; ++key) {
    check(map.find(key) == times * ranks_of(w), "an update was lost");
  }
}

void batches(world& w) {
  constexpr std::uint64_t n = 40;
  const hash_map<std::uint64_t, std::uint64_t> map(w);
  std::vector<std::uint64_t> keys(n);
  for (std::uint64_t i = 0; i < n; ++i) keys[i] = n * static_cast<std::uint64_t>(w.rank()) + i;
  const auto fresh = map.insert_many(keys, keys);
  check(std::ranges::count(fresh, true) == n, "a new key is called old");
  const auto found = map.find_many(keys);
  for (std::uint64_t i = 0; i < n; ++i) check(found[i] == keys[i], "a key is not there");
}

/// A rank leaves a map's scope when it is done, although others may still use the map.
void short_lives(world& w) {
  for (std::uint64_t life = 0; life < 3; ++life) {
    const hash_map<std::uint64_t, std::uint64_t> map(w);
    const auto key = 10 * life + static_cast<std::uint64_t>(w.rank());
    map.insert(key, life);
    check(map.find(key) == life, "the key is not there");
  }
}

/// Ranks add in a phase of changes: one-sided to keys of their own, by calls to those of others.
void phase_counts(world& w) {
  constexpr std::uint64_t times = 4;
  const hash_map<std::uint64_t, std::uint64_t> map(w, 10, policy::rpc);
  for (std::uint64_t key = 0; key < 3 && w.rank() == 0; ++key) map.insert(key, 0);
  {
    const auto all = map.writing();
    for (std::uint64_t i = 0; i < times; ++i) {
      for (std::uint64_t key = 0; key < 3; ++key) all.add_or_insert(key, 1);
    }
  }
  for (std::uint64_t key = 0; key < 3; ++key) {
    check(map.find(key) == times * ranks_of(w), "an addition was lost");
  }
}

/// Each rank has a key of its own.
void phase_keys(world& w) {
  const hash_map<int, int> map(w, 10, policy::one_sided);
  const auto all = map.writing();
  for (int i = 0; i < 3; ++i) {
    check(all.insert(w.rank(), i), "an erased key is there");
    check(all.erase(w.rank()), "an inserted key is not there");
  }
}

void elements(world& w) {
  constexpr std::uint64_t times = 3;
  const array<double> sums(w, 2);
  const array<std::uint64_t> counts(w, 2);
  for (std::uint64_t i = 0; i < times; ++i) {
    sums.fetch_update(i % 2, 1.0, std::plus<>());
    counts.fetch_update(i % 2, 1u, std::plus<>());
  }
  barrier(w);
  check(sums.get(0) + sums.get(1) == static_cast<double>(times * ranks_of(w)),
        "an update of a floating-point element was lost");
  check(counts.get(0) + counts.get(1) == times * ranks_of(w), "an update of a word was lost");
}

const program the_counts("counts", {.ranks = 3}, counts);
const program the_batches("batches", {.ranks = 3}, batches);
const program the_short_lives("short_lives", {.ranks = 3}, short_lives);
const program the_phase_counts("phase_counts", {.ranks = 3}, phase_counts);
const program the_phase_keys("phase_keys", {.ranks = 3}, phase_keys);
const program the_elements("elements", {.ranks = 3}, elements);

}  // namespace
}  // namespace far::mutants
