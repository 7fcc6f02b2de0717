// The guarantees of the store's copies and of reads without a lock: no rank reads an old item when
// another has seen a newer one, and none reads half an item.

#include <cstdint>
#include <string>

#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/store/store.hpp"
#include "far/team/team.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

/// Rank 0 changes an item and tells the others, who then see the change; and so of two items.
void copies(world& w) {
  constexpr std::uint64_t rounds = 4;
  const store items(w, {.memory_bytes = std::uint64_t{1 << 19} * static_cast<unsigned>(w.size()),
                        .max_item_bytes = 2000,
                        .copies = copying::always,
                        .reads = policy::rpc});
  const ptr<std::uint64_t> told = allocate<std::uint64_t>(w);
  const std::string first = "first", second = "second";
  if (w.rank() == 0) {
    (void)items.put(first, "0");
    (void)items.put(second, "0");
  }
  barrier(w);
  const auto number = [&](const std::string& key) { return std::stoull(items.get(key)->value); };
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (w.rank() == 0) {
      (void)items.put(first, std::to_string(round));
      for (int rank = 1; rank < w.size(); ++rank) atomic_ref(w, told.on(rank)).store(round);
      (void)items.put(second, std::to_string(round));
    } else {
      for (int again = 0; again < 4; ++again) {
        const std::uint64_t known = atomic_ref(w, told).load();
        check(number(first) >= known, "a copy is older than what this rank knows");
        const std::uint64_t seen = number(second);
        check(number(first) >= seen, "a copy is older than what this rank has seen");
      }
    }
  }
  barrier(w);
  check(number(first) == rounds, "a copy has outlived a change");
  check(number(second) == rounds, "a copy has outlived a change");
  barrier(w);
  const std::uint64_t ranks = static_cast<unsigned>(w.size());
  (void)items.increment(first);
  barrier(w);
  check(number(first) == rounds + ranks, "an increment is not seen");
}

/// Rank 0's part is full, so each value that it stores takes the place of another item.
void reads(world& w) {
  constexpr std::uint64_t rounds = 60;
  const store items(w, {.memory_bytes = std::uint64_t{320 << 10} * static_cast<unsigned>(w.size()),
                        .max_item_bytes = 10000,
                        .copies = copying::never,
                        .reads = policy::one_sided});
  std::uint64_t number = 0;
  const auto next_key = [&] {
    for (;;) {
      std::string key = "key" + std::to_string(number++);
      if (items.home_of(key) == 0) return key;
    }
  };
  const auto value = [](std::uint64_t round) {
    return std::to_string(round) + std::string(4000 * (1 + round % 2), ' ');
  };
  const ptr<std::uint64_t> told = allocate<std::uint64_t>(w);
  const std::string key = next_key();
  if (w.rank() == 0) {
    for (int filler = 0; filler < 40; ++filler) (void)items.put(next_key(), value(2));
    (void)items.put(key, value(0));
  }
  barrier(w);
  if (w.rank() == 0) {
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      (void)items.put(key, value(round));
      atomic_ref(w, told.on(0)).store(round);
      for (int more = 0; more < 10; ++more) (void)items.put(next_key(), value(round));
    }
  } else {
    for (std::uint64_t known = 0; known < rounds;) {
      known = atomic_ref(w, told.on(0)).load();
      const auto item = items.get(key);
      check(item.has_value(), "an item is not there while it changes");
      const std::uint64_t round = std::stoull(item->value);
      check(item->value == value(round), "half an item is read");
      check(round >= known, "an item is older than what this rank knows");
    }
  }
  barrier(w);
}

const program whole("store_reads", {.ranks = 3, .ranks_per_node = 1}, reads);
const program coherent("store_copies", {.ranks = 3}, copies);

}  // namespace
}  // namespace far::mutants
