#pragma once
// S3-FIFO over a log: memory is segments that are filled from begin to end and freed whole.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "bench/kv/cache_models.hpp"
#include "far/base/random.hpp"

namespace far::bench {

struct log_options {
  std::size_t segments = 512;       ///< fewer if there are fewer items
  std::size_t small_percent = 10;   ///< of the segments, for new items
  std::uint32_t promote_at = 1;     ///< an item of the small queue with so many uses stays
  std::size_t ghost_percent = 100;  ///< slots of the table of ghosts, of the items
};

/// New items are appended to the small queue. When a free segment is needed, the oldest one of a
/// queue is taken whole: of the small queue if it has more than its share. Its items that were
/// used are appended to the main queue, those of the main queue with one use less; others leave.
/// Those of the small queue leave a fingerprint of 16 bits in a table, where a later one may
/// overwrite it; an item with such a fingerprint gets into the main queue at once. An item that is
/// there is overwritten in place.
class log_cache {
 public:
  log_cache(std::size_t keys, std::size_t capacity, const log_options& options = {})
      : promote_at_(options.promote_at),
        items_a_segment_(std::max<std::size_t>(1, capacity / options.segments)),
        free_(capacity / items_a_segment_),
        small_share_(std::max<std::size_t>(1, free_ * options.small_percent / 100)),
        items_(keys),
        ghosts_(std::max<std::size_t>(1, capacity * options.ghost_percent / 100)) {}

  bool get(cache_key key) {
    item& it = items_[key];
    if (!it.is_here) return false;
    if (it.uses < max_uses) ++it.uses;
    return true;
  }
  void put(cache_key key) {
    if (items_[key].is_here) return;
    items_[key] = {.is_here = true, .uses = 0};
    queue& to = takes_ghost(key) ? main_ : small_;
    while (is_full(to) && free_ <= reserve) evict();
    append(to, key);
    ++puts_;
  }
  /// How many items were appended again for one that was put.
  [[nodiscard]] double copies_per_put() const {
    return static_cast<double>(copies_) / static_cast<double>(std::max<std::uint64_t>(puts_, 1));
  }

 private:
  static constexpr std::uint8_t max_uses = 3;
  static constexpr std::size_t reserve = 1;  // for the items of a taken segment that stay
  struct item {
    bool is_here = false;
    std::uint8_t uses = 0;
  };
  using queue = std::deque<std::vector<cache_key>>;  // segments; the last one is open

  [[nodiscard]] bool is_full(const queue& which) const {
    return which.empty() || which.back().size() == items_a_segment_;
  }
  void append(queue& to, cache_key key) {
    if (is_full(to)) {
      --free_;
      to.emplace_back().reserve(items_a_segment_);
    }
    to.back().push_back(key);
  }
  void evict() {
    const bool is_small = small_.size() > small_share_ || main_.size() <= 1;
    queue& from = is_small ? small_ : main_;
    const std::vector<cache_key> taken = std::move(from.front());
    from.pop_front();
    for (const cache_key key : taken) {
      item& it = items_[key];
      if (it.uses >= (is_small ? promote_at_ : 1)) {
        it.uses = static_cast<std::uint8_t>(is_small ? 0 : it.uses - 1);
        append(main_, key);
        ++copies_;
      } else {
        it.is_here = false;
        if (is_small) ghost_of(key) = fingerprint(key);
      }
    }
    ++free_;
  }

  static std::uint16_t fingerprint(cache_key key) {  // never 0
    return static_cast<std::uint16_t>(base::mix(key + 1) | 1);
  }
  std::uint16_t& ghost_of(cache_key key) {
    return ghosts_[(base::mix(key + 1) >> 16) % ghosts_.size()];
  }
  bool takes_ghost(cache_key key) {
    std::uint16_t& ghost = ghost_of(key);
    return ghost == fingerprint(key) && std::exchange(ghost, std::uint16_t{0}) != 0;
  }

  std::uint32_t promote_at_;
  std::size_t items_a_segment_;
  std::size_t free_;
  std::size_t small_share_;
  queue small_;
  queue main_;
  std::vector<item> items_;
  std::vector<std::uint16_t> ghosts_;
  std::uint64_t copies_ = 0;
  std::uint64_t puts_ = 0;
};

}  // namespace far::bench
