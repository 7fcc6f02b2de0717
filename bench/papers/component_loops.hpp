#pragma once
// The component operations of data structures, at random places of random ranks (rdma-vs-rpc,
// section III.A; row A1).

#include <cstdint>
#include <unordered_map>

#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {

/// One rank's operations on random ranks.
class component_loops {
 public:
  static constexpr std::size_t words_each = 1 << 14;

  explicit component_loops(world& world)
      : world_(world),
        random_(base::mix(static_cast<std::uint64_t>(world.rank()) + 1)),
        words_(allocate<std::uint64_t>(world, words_each)) {
    barrier(world);
  }
  component_loops(const component_loops&) = delete;
  component_loops& operator=(const component_loops&) = delete;

  void put() { far::put(world_, place32(), static_cast<std::uint32_t>(random_())); }
  void get() { sum_ += far::get(world_, place32()); }
  void fetch_add() { sum_ += word(random_place()).fetch_add(1); }
  void fetch_add_one_word() { sum_ += word(0).fetch_add(1); }
  void compare_swap() {
    std::uint64_t expected = 0;
    word(random_place()).compare_exchange(expected, random_() | 1);
    sum_ += expected;
  }
  /// Retries until it succeeds, each time with the value it saw last; starts with a wrong guess.
  void persistent_compare_swap() {
    const atomic_ref<std::uint64_t> there = word(random_place());
    std::uint64_t seen = random_();
    while (!there.compare_exchange(seen, seen + 1)) {
    }
  }
  /// A round trip; its handler inserts into a table at the target.
  void message() {
    far::rpc(
        world_, random_rank(),
        [](rank_state& there, std::uint64_t key) { there.get<table>().keys[key] += 1; },
        random_() % words_each)
        .get();
  }

 private:
  struct table {
    explicit table(rank_state&) {}
    std::unordered_map<std::uint64_t, std::uint64_t> keys;
  };

  int random_rank() {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(world_.size())));
  }
  std::int64_t random_place() { return static_cast<std::int64_t>(random_.below(words_each)); }
  atomic_ref<std::uint64_t> word(std::int64_t place) {
    return {world_, words_.on(random_rank()) + place};
  }
  ptr<std::uint32_t> place32() {
    return reinterpret_pointer_cast<std::uint32_t>(words_.on(random_rank())) + 2 * random_place();
  }

  world& world_;
  base::random random_;
  ptr<std::uint64_t> words_;
  std::uint64_t sum_ = 0;
};

}  // namespace far::bench
