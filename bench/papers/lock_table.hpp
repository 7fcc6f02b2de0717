#pragma once
// A volume of a distributed hashtable of 64-bit integers, as in rma-locks, section 5.3: a table,
// and a heap for colliding keys, both of fixed size, at one rank.

#include <cstdint>

#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {

/// One rank's access to the volume.
class table_volume {
 public:
  /// Collective; the volume is at rank 0. `max_inserts`: the heap has space for this many entries.
  table_volume(const world& world, std::uint64_t slots, std::uint64_t max_inserts)
      : world_(world), slots_(slots) {
    if (world.rank() == 0) {
      entries_ = allocate_local<entry>(world, slots + max_inserts);
      next_free_ = allocate_local<std::uint64_t>(world);
      put(world, next_free_, slots);
    }
    entries_ = broadcast(world, entries_, 0);
    next_free_ = broadcast(world, next_free_, 0);
  }
  ~table_volume() {
    if (world_.rank() != 0) return;
    deallocate_local(world_, entries_);
    deallocate_local(world_, next_free_);
  }
  table_volume(const table_volume&) = delete;
  table_volume& operator=(const table_volume&) = delete;

  /// Allowed at any time. Inserts by compare-and-swap; a colliding key goes to the next free place
  /// of the heap, and a second compare-and-swap links it in. `key` must not be 0.
  void insert(std::uint64_t key) const {
    const ptr<entry> slot = slot_of(key);
    std::uint64_t seen = 0;
    if (word(slot, 0).compare_exchange(seen, key) || seen == key) return;
    const std::uint64_t place = atomic_ref<std::uint64_t>(world_, next_free_).fetch_add(1);
    std::uint64_t next = word(slot, 1).load();
    do {
      put(world_, at(place), entry{key, next});
    } while (!word(slot, 1).compare_exchange(next, place));
  }
  /// The same, while no other rank uses the volume.
  void insert_alone(std::uint64_t key) const {
    const ptr<entry> slot = slot_of(key);
    const entry first = get(world_, slot);
    if (first.key == key) return;
    if (first.key == 0) {
      put(world_, slot, entry{key, 0});
      return;
    }
    const std::uint64_t place = get(world_, next_free_);
    put(world_, next_free_, place + 1);
    put(world_, at(place), entry{key, first.next});
    put(world_, slot, entry{first.key, place});
  }
  [[nodiscard]] bool contains(std::uint64_t key) const {
    for (entry here = get(world_, slot_of(key));; here = get(world_, at(here.next))) {
      if (here.key == key) return true;
      if (here.next == 0) return false;
    }
  }

 private:
  struct alignas(16) entry {
    std::uint64_t key = 0;
    std::uint64_t next = 0;  ///< a place in the heap, which follows the table
  };

  [[nodiscard]] ptr<entry> at(std::uint64_t place) const noexcept {
    return entries_ + static_cast<std::int64_t>(place);
  }
  [[nodiscard]] ptr<entry> slot_of(std::uint64_t key) const noexcept {
    return at(base::mix(key) % slots_);
  }
  [[nodiscard]] atomic_ref<std::uint64_t> word(ptr<entry> of, int index) const noexcept {
    return {world_, reinterpret_pointer_cast<std::uint64_t>(of) + index};
  }

  world world_;
  std::uint64_t slots_;
  ptr<entry> entries_;
  ptr<std::uint64_t> next_free_;
};

}  // namespace far::bench
