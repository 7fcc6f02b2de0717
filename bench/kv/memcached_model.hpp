#pragma once
// The eviction of memcached 1.6 with its default options, for one class of sizes.
//
// An item is in one of three queues. New items are HOT; those that are used twice get into WARM
// when they reach a queue's end, or at once if they are COLD; all others sink into COLD, whose
// oldest item leaves. Between requests a thread keeps HOT below a fifth of the items and WARM
// below two fifths, and makes items sink that are older than a share of the age of COLD's oldest.
// Measured: memcached 1.6.18 -m 64 with values of 1000 bytes (56,640 items) hit .755 of the
// requests of zipf_stream over 10^6 keys, .572 with scans, .745 moving; this hits .754, .565, .745.
// Source: doc/new_lru.txt of memcached; the manual of its `lru` command for the shares.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "bench/kv/cache_models.hpp"

namespace far::bench {

class memcached_cache {
 public:
  memcached_cache(std::size_t keys, std::size_t capacity)
      : capacity_(capacity), links_(keys), items_(keys) {}

  bool get(cache_key key) {
    pass_time();
    item& it = items_[key];
    if (it.where == nowhere) return false;
    if (it.is_active) return true;
    if (!it.was_fetched) {
      it.was_fetched = true;
      return true;
    }
    it.is_active = true;
    it.second = second();
    if (it.where == cold) {
      it.is_active = false;
      move(key, warm);
    }
    return true;
  }
  void put(cache_key key) {
    if (items_[key].where == nowhere) {
      while (size_ >= capacity_) make_room();
      ++size_;
    } else {  // it gets new memory, so the item is a new one
      links_.remove(queues_[items_[key].where], key);
    }
    items_[key] = {.where = hot, .second = second()};
    links_.push(queues_[hot], key);
  }

 private:
  enum place : std::uint8_t { hot, warm, cold, nowhere };
  struct item {
    place where = nowhere;
    bool was_fetched = false;
    bool is_active = false;
    std::uint32_t second = 0;
  };
  static constexpr std::uint32_t requests_a_second = 100'000;
  static constexpr std::uint32_t requests_a_round = 100;  // of the thread: each millisecond
  static constexpr int moves_a_round = 500;

  [[nodiscard]] std::uint32_t second() const {
    return static_cast<std::uint32_t>(requests_ / requests_a_second);
  }
  void pass_time() {
    if (++requests_ % requests_a_round == 0) maintain();
  }
  void move(cache_key key, place to) {
    links_.remove(queues_[items_[key].where], key);
    items_[key].where = to;
    links_.push(queues_[to], key);
  }
  void make_room() {
    const cache_key victim = queues_[cold].oldest;
    if (victim == no_key) {
      sink(queues_[hot].oldest != no_key ? hot : warm, 0, 0);
      return;
    }
    links_.remove(queues_[cold], victim);
    items_[victim].where = nowhere;
    --size_;
  }
  void maintain() {
    const cache_key coldest = queues_[cold].oldest;
    const double age = coldest == no_key ? 0 : second() - items_[coldest].second;
    for (int i = 0; i < moves_a_round; ++i) {
      const bool moved = sink(hot, size_ / 5, age / 5) || sink(warm, size_ * 2 / 5, age * 2);
      if (!moved) break;
    }
  }
  /// Moves the oldest item of HOT or WARM where it belongs; false if it may stay.
  bool sink(place from, std::size_t limit, double max_age) {
    const cache_key key = queues_[from].oldest;
    if (key == no_key) return false;
    item& it = items_[key];
    if (it.is_active) {
      it.is_active = false;
      move(key, warm);
      return true;
    }
    if (queues_[from].size <= limit && second() - it.second <= max_age) return false;
    move(key, cold);
    return true;
  }

  std::size_t capacity_;
  key_links links_;
  std::array<key_links::queue, 3> queues_;
  std::vector<item> items_;
  std::size_t size_ = 0;
  std::uint64_t requests_ = 0;
};

}  // namespace far::bench
