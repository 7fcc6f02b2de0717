#pragma once
// Caches that hold `capacity` items of equal size, without the items: which requests would hit.
// Keys are numbers from 0 to keys - 1.
//
// Each has
//   bool get(key);    // whether the item is there; counts as a use of it
//   void put(key);    // stores an item, whether or not there is one

#include <cstdint>
#include <limits>
#include <vector>

namespace far::bench {

using cache_key = std::uint32_t;
inline constexpr cache_key no_key = std::numeric_limits<cache_key>::max();

/// Doubly linked queues that share their links: a key is in at most one of them.
class key_links {
 public:
  explicit key_links(std::size_t keys) : newer_(keys, no_key), older_(keys, no_key) {}

  struct queue {
    cache_key newest = no_key;
    cache_key oldest = no_key;
    std::size_t size = 0;
  };

  void push(queue& to, cache_key key) {
    older_[key] = to.newest;
    newer_[key] = no_key;
    (to.newest == no_key ? to.oldest : newer_[to.newest]) = key;
    to.newest = key;
    ++to.size;
  }
  void remove(queue& from, cache_key key) {
    (newer_[key] == no_key ? from.newest : older_[newer_[key]]) = older_[key];
    (older_[key] == no_key ? from.oldest : newer_[older_[key]]) = newer_[key];
    --from.size;
  }
  [[nodiscard]] cache_key newer(cache_key key) const { return newer_[key]; }

 private:
  std::vector<cache_key> newer_;
  std::vector<cache_key> older_;
};

/// The least recently used item leaves.
class lru_cache {
 public:
  lru_cache(std::size_t keys, std::size_t capacity)
      : capacity_(capacity), links_(keys), is_here_(keys) {}

  bool get(cache_key key) {
    if (!is_here_[key]) return false;
    links_.remove(items_, key);
    links_.push(items_, key);
    return true;
  }
  void put(cache_key key) {
    if (get(key)) return;
    if (items_.size == capacity_) {
      is_here_[items_.oldest] = false;
      links_.remove(items_, items_.oldest);
    }
    links_.push(items_, key);
    is_here_[key] = true;
  }

 private:
  std::size_t capacity_;
  key_links links_;
  key_links::queue items_;
  std::vector<bool> is_here_;
};

/// A hand goes from the oldest item to the newest one, and again; the first item that was not used
/// since the hand last passed leaves. Items do not move.
/// Source: Zhang et al., SIEVE is Simpler than LRU (NSDI 2024).
class sieve_cache {
 public:
  sieve_cache(std::size_t keys, std::size_t capacity)
      : capacity_(capacity), links_(keys), is_here_(keys), is_used_(keys) {}

  bool get(cache_key key) {
    if (!is_here_[key]) return false;
    is_used_[key] = true;
    return true;
  }
  void put(cache_key key) {
    if (get(key)) return;
    if (items_.size == capacity_) evict();
    links_.push(items_, key);
    is_here_[key] = true;
    is_used_[key] = false;
  }

 private:
  void evict() {
    if (hand_ == no_key) hand_ = items_.oldest;
    while (is_used_[hand_]) {
      is_used_[hand_] = false;
      hand_ = links_.newer(hand_);
      if (hand_ == no_key) hand_ = items_.oldest;
    }
    const cache_key victim = hand_;
    hand_ = links_.newer(victim);
    links_.remove(items_, victim);
    is_here_[victim] = false;
  }

  std::size_t capacity_;
  key_links links_;
  key_links::queue items_;
  cache_key hand_ = no_key;
  std::vector<bool> is_here_;
  std::vector<bool> is_used_;
};

/// New items are in a small queue, and get into the main one if they were used twice, or if they
/// were evicted from the small one recently. In the main queue a used item is put back instead of
/// evicted, up to three times.
/// Source: Yang et al., FIFO queues are all you need for cache eviction (SOSP 2023).
class s3_fifo_cache {
 public:
  s3_fifo_cache(std::size_t keys, std::size_t capacity)
      : capacity_(capacity),
        small_capacity_(capacity / 10),
        links_(keys),
        place_(keys),
        uses_(keys),
        evicted_at_(keys) {}

  bool get(cache_key key) {
    if (place_[key] == nowhere) return false;
    if (uses_[key] < 3) ++uses_[key];
    return true;
  }
  void put(cache_key key) {
    if (get(key)) return;
    while (small_.size + main_.size >= capacity_) evict();
    const bool is_ghost =
        evicted_at_[key] != 0 && evictions_ - evicted_at_[key] < capacity_ - small_capacity_;
    insert(key, is_ghost ? in_main : in_small);
  }

 private:
  enum place : std::uint8_t { nowhere, in_small, in_main };

  void insert(cache_key key, place where) {
    links_.push(where == in_main ? main_ : small_, key);
    place_[key] = where;
    uses_[key] = 0;
    evicted_at_[key] = 0;
  }
  void evict() {
    if (small_.size >= small_capacity_ && small_.size > 0) {
      evict_from_small();
    } else {
      evict_from_main();
    }
  }
  void evict_from_small() {
    const cache_key key = small_.oldest;
    links_.remove(small_, key);
    if (uses_[key] > 1) return insert(key, in_main);
    place_[key] = nowhere;
    evicted_at_[key] = ++evictions_;
  }
  void evict_from_main() {
    const cache_key key = main_.oldest;
    links_.remove(main_, key);
    if (uses_[key] > 0) {
      --uses_[key];
      links_.push(main_, key);
    } else {
      place_[key] = nowhere;
    }
  }

  std::size_t capacity_;
  std::size_t small_capacity_;
  key_links links_;
  key_links::queue small_;
  key_links::queue main_;
  std::vector<place> place_;
  std::vector<std::uint8_t> uses_;
  std::vector<std::uint64_t>
      evicted_at_;  // the number of the eviction from the small queue; 0: none
  std::uint64_t evictions_ = 0;
};

}  // namespace far::bench
