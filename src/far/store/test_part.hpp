#pragma once
// A part in the test's own memory, and what must always hold of it.

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "far/store/part_items.hpp"

namespace far::stores::testing {

class test_part {
 public:
  test_part(std::uint64_t bytes, std::uint64_t max_item, bool evicts = true) : max_item_(max_item) {
    const part_shape shape = part_shape::of(bytes, max_item, evicts);
    memory_.reset(
        static_cast<std::byte*>(std::aligned_alloc(4096, (shape.bytes() + 4095) & ~4095u)));
    std::memset(memory_.get(), 0, shape.bytes());
    part_ = part_memory(memory_.get(), shape);
    part_.make();
  }

  [[nodiscard]] const part_memory& memory() const noexcept { return part_; }
  [[nodiscard]] part_log log(store_second now = 2) const { return {part_, now}; }
  store_reply execute(const store_request& asked, store_second now = 2) const {
    return part_items(part_, max_item_, now).execute(asked);
  }
  store_reply put(std::string_view key, std::string_view value, store_second expires = 0) const {
    store_request asked;
    asked.verb = store_verb::put;
    asked.key = key;
    asked.value = value;
    asked.expires = expires;
    return execute(asked);
  }
  [[nodiscard]] store_reply erase(std::string_view key) const {
    store_request asked;
    asked.verb = store_verb::erase;
    asked.key = key;
    return execute(asked);
  }
  [[nodiscard]] store_reply get(std::string_view key, store_second now = 2) const {
    store_request asked;
    asked.key = key;
    return execute(asked, now);
  }
  /// Another rank has a copy of it from here on.
  [[nodiscard]] std::optional<store_reply> share(std::string_view key) const {
    return part_items(part_, max_item_, 2).share(key, max_item_);
  }

  /// Every entry leads to an item that is not dead and belongs into its chain, every item that is
  /// not dead has one, and all sums are right.
  void check() const {
    const part_state& state = part_.state();
    std::map<std::uint64_t, std::uint64_t> items;  // place, bytes
    std::uint64_t overflow = 0, bytes = 0;
    for (std::uint64_t b = 0; b < state.buckets; ++b) {
      const bucket* one = &part_.bucket_at(b);
      const unsigned level = bucket_word{one->word}.level();
      ASSERT_FALSE(bucket_word{one->word}.is_changing());
      for (;;) {
        bool has_ended = false;
        for (const std::uint64_t word : one->entries) {
          if (word == 0) {
            has_ended = true;
            continue;
          }
          ASSERT_FALSE(has_ended) << "a hole in a chain";
          const entry what(word);
          const item_header header = part_.header(what.place());
          const key_hash hash(part_.key_of(what.place(), header));
          ASSERT_EQ(header.is_dead, 0u);
          ASSERT_EQ(hash.tag(), what.tag());
          ASSERT_EQ(what.grains(), header.grains());
          ASSERT_EQ(part_memory::bucket_of(hash, state.buckets), b);
          ASSERT_EQ(hash.bits & ((std::uint64_t{1} << level) - 1), b);
          ASSERT_TRUE(items.emplace(what.place(), header.bytes()).second);
          bytes += header.bytes();
        }
        const std::uint64_t next = bucket_word{one->word}.next();
        if (next == 0) break;
        ++overflow;
        one = &part_.overflow(next);
      }
    }
    std::uint64_t not_used = 0;
    for (std::uint64_t number = state.free_overflow; number != 0;
         number = bucket_word{part_.overflow(number).word}.next()) {
      ++not_used;
    }
    ASSERT_EQ(overflow + not_used, state.overflow_buckets);
    ASSERT_EQ(items.size(), state.items);
    ASSERT_EQ(bytes, state.item_bytes);
    check_segments(items);
  }

 private:
  void check_segments(const std::map<std::uint64_t, std::uint64_t>& items) const {
    const part_state& state = part_.state();
    ASSERT_LE(state.buckets * sizeof(bucket), state.log_begin * part_.shape().segment_bytes);
    std::uint64_t free = 0, seen = 0, of[queues] = {};
    for (std::uint32_t s = state.log_begin; s < state.log_end; ++s) {
      const segment_info& info = part_.segment(s);
      ASSERT_NE(info.kind, segment_kind::taken);
      if (info.kind == segment_kind::free) {
        ++free;
        ASSERT_EQ(info.used, 0u);
        continue;
      }
      const segment_info& extent = part_.segment(info.first);
      ++of[static_cast<std::size_t>(extent.of.of)];
      ASSERT_EQ(extent.kind, segment_kind::items);
      ASSERT_LT(s, info.first + extent.length);
      ASSERT_EQ(info.kind == segment_kind::items, info.first == s);
      if (info.kind == segment_kind::continues) continue;
      ASSERT_LE(info.used, info.length * part_.shape().segment_bytes);
      std::uint64_t live = 0;
      for (std::uint64_t byte = 0; byte < info.used;) {
        const std::uint64_t place = part_.place_in(s, byte);
        const item_header header = part_.header(place);
        if (header.is_dead == 0) {
          ASSERT_TRUE(items.contains(place)) << "an item without an entry";
          live += header.grains() * grain_bytes;
          ++seen;
        }
        byte += header.grains() * grain_bytes;
      }
      ASSERT_EQ(live, info.live);
    }
    ASSERT_EQ(seen, items.size());
    ASSERT_EQ(free, state.free_segments);
    ASSERT_EQ(of[0], state.segments_of[0]);
    ASSERT_EQ(of[1], state.segments_of[1]);
  }

  struct freed {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  std::uint64_t max_item_;
  std::unique_ptr<std::byte, freed> memory_;
  part_memory part_;
};

}  // namespace far::stores::testing
