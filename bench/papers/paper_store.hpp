#pragma once
// The key-value store of darray, section 5.2 and figure 11: a user of two cached arrays.
//
// The entry array has buckets of 16 words: 15 entries, and the number of the bucket where the
// bucket overflows to (0: none). An entry is 0, or
//
//     bits 63..56  tag: of the key's hash, not of the bits that choose the bucket
//     bits 55..40  size of the item in bytes, without its header
//     bits 39..0   where it is in the byte array, plus 1
//
// An item is the key's size (2 bytes), the key, the value. The element lock of a bucket's first
// word protects the bucket, those that it overflows to, and their items. (Figure 11 locks each
// entry that it looks at. One lock for all takes fewer messages, and keeps two puts of a new key
// from taking two entries.) There is no erase: an entry once used stays its key's.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/papers/slab_allocator.hpp"
#include "far/base/hash.hpp"
#include "far/far.hpp"

namespace far::bench {

struct paper_store_sizes {
  std::uint64_t buckets = 0;       ///< that keys hash to
  std::uint64_t more_buckets = 0;  ///< of each rank, for those that overflow
  std::uint64_t bytes = 0;         ///< of each rank, for items: a multiple of the allocator's page
};

class paper_store {
 public:
  /// One thread's access.
  class view {
   public:
    /// The value of a key.
    [[nodiscard]] std::optional<std::string> get(std::string_view key) const {
      const place at = place_of(key);
      const auto lock = entries_.lock_of(first_word(at.bucket));
      const std::shared_lock guard(lock);
      const std::optional<found> item = find(key, at);
      if (!item) return std::nullopt;
      return item->bytes.substr(header + key.size());
    }

    /// Errors: bad_argument for an item of more than 16 KB; out_of_memory.
    void put(std::string_view key, std::string_view value) const {
      const place at = place_of(key);
      const std::string bytes = item_of(key, value);
      const auto lock = entries_.lock_of(first_word(at.bucket));
      const std::scoped_lock guard(lock);
      const std::optional<found> old = find(key, at);
      if (old && slabs_->same_class(old->bytes.size(), bytes.size())) {
        write(old->offset, bytes);
        if (old->bytes.size() != bytes.size()) {
          entries_.put(old->word, entry(at.tag, bytes.size(), old->offset));
        }
        return;
      }
      const std::uint64_t offset = slabs_->allocate(bytes.size());
      write(offset, bytes);
      entries_.put(old ? old->word : free_word(at.bucket), entry(at.tag, bytes.size(), offset));
      if (old) slabs_->free(old->offset, old->bytes.size());
    }

   private:
    friend class paper_store;
    static constexpr std::uint64_t entries_a_bucket = 15;
    static constexpr std::uint64_t bucket_words = 16;
    static constexpr std::size_t header = 2;
    static constexpr std::uint64_t offset_mask = (std::uint64_t{1} << 40) - 1;

    struct place {
      std::uint64_t bucket;
      std::uint64_t tag;
    };
    struct found {
      std::uint64_t word;    // where its entry is
      std::uint64_t offset;  // where its bytes are
      std::string bytes;     // the whole item
    };

    view(const paper_store& of, const world& world)
        : entries_(of.entries_.on(world)),
          bytes_(of.bytes_.on(world)),
          buckets_(of.sizes_.buckets),
          slabs_(of.slabs_.get()),
          next_bucket_(of.next_bucket_.get()) {}

    static std::uint64_t first_word(std::uint64_t bucket) { return bucket * bucket_words; }
    static std::uint64_t entry(std::uint64_t tag, std::size_t size, std::uint64_t offset) {
      return tag << 56 | static_cast<std::uint64_t>(size - header) << 40 | (offset + 1);
    }
    static std::string item_of(std::string_view key, std::string_view value) {
      std::string bytes(header, '\0');
      const auto key_size = static_cast<std::uint16_t>(key.size());
      std::memcpy(bytes.data(), &key_size, header);
      return bytes.append(key).append(value);
    }
    [[nodiscard]] place place_of(std::string_view key) const {
      const std::uint64_t hash = base::hash_bytes(key.data(), key.size());
      return {hash % buckets_, base::mix(hash) >> 56};
    }

    [[nodiscard]] std::optional<found> find(std::string_view key, const place& at) const {
      for (std::uint64_t bucket = at.bucket;;) {
        for (std::uint64_t i = 0; i < entries_a_bucket; ++i) {
          const std::uint64_t word = first_word(bucket) + i;
          const std::uint64_t e = entries_.get(word);
          if (e == 0) return std::nullopt;
          if (e >> 56 != at.tag) continue;
          found item{word, (e & offset_mask) - 1, read(e)};
          if (is_of(item.bytes, key)) return item;
        }
        bucket = entries_.get(first_word(bucket) + entries_a_bucket);
        if (bucket == 0) return std::nullopt;
      }
    }
    static bool is_of(std::string_view bytes, std::string_view key) {
      std::uint16_t key_size = 0;
      std::memcpy(&key_size, bytes.data(), header);
      return bytes.substr(header, key_size) == key;
    }
    [[nodiscard]] std::string read(std::uint64_t e) const {
      std::string bytes((e >> 40 & 0xffff) + header, '\0');
      bytes_.get((e & offset_mask) - 1,
                 std::span(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()));
      return bytes;
    }
    void write(std::uint64_t offset, std::string_view bytes) const {
      bytes_.put(offset,
                 std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
    }
    /// The first unused entry, perhaps of a bucket that is appended for it.
    [[nodiscard]] std::uint64_t free_word(std::uint64_t bucket) const {
      for (;;) {
        for (std::uint64_t i = 0; i < entries_a_bucket; ++i) {
          if (entries_.get(first_word(bucket) + i) == 0) return first_word(bucket) + i;
        }
        const std::uint64_t overflow = first_word(bucket) + entries_a_bucket;
        std::uint64_t next = entries_.get(overflow);
        if (next == 0) {
          next = next_bucket_->take();
          entries_.put(overflow, next);
        }
        bucket = next;
      }
    }

    /// Buckets of one rank that nothing overflows to yet.
    struct free_buckets {
      std::atomic<std::uint64_t> next;
      std::uint64_t end;

      std::uint64_t take() {
        const std::uint64_t bucket = next.fetch_add(1, std::memory_order_relaxed);
        if (bucket >= end) throw out_of_memory("no bucket is left to overflow to");
        return bucket;
      }
    };

    cached_view<std::uint64_t> entries_;
    cached_view<std::uint8_t> bytes_;
    std::uint64_t buckets_;
    slab_allocator* slabs_;
    free_buckets* next_bucket_;
  };

  /// Collective, as the destructor is.
  paper_store(const world& world, const paper_store_sizes& sizes)
      : sizes_(sizes),
        entries_(world,
                 (sizes.buckets + ranks_of(world) * sizes.more_buckets) * view::bucket_words),
        bytes_(world, ranks_of(world) * sizes.bytes, byte_array_options()) {
    const auto me = static_cast<std::uint64_t>(world.rank());
    slabs_ = std::make_unique<slab_allocator>(me * sizes.bytes, (me + 1) * sizes.bytes);
    next_bucket_ = std::make_unique<view::free_buckets>(
        sizes.buckets + me * sizes.more_buckets, sizes.buckets + (me + 1) * sizes.more_buckets);
  }

  /// For one thread of this rank.
  [[nodiscard]] view on(const world& world) const { return {*this, world}; }

 private:
  static std::uint64_t ranks_of(const world& world) {
    return static_cast<std::uint64_t>(world.size());
  }
  static cached_array_options byte_array_options() {
    cached_array_options options;
    options.chunk = 4096;  // as many bytes as a chunk of words
    return options;
  }

  paper_store_sizes sizes_;
  cached_array<std::uint64_t> entries_;
  cached_array<std::uint8_t> bytes_;
  std::unique_ptr<slab_allocator> slabs_;
  std::unique_ptr<view::free_buckets> next_bucket_;
};

}  // namespace far::bench
