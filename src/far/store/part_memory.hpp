#pragma once
// The memory of a rank's part of a store, which all ranks of its machine map: plain data, places
// counted from its beginning.
//
//     state | segments | ghosts | index -> ... log of items ... <- overflow buckets
//
// What follows the ghosts is the arena, divided into segments of equal size, of which neighbouring
// ones may form an extent (part_extents.hpp). The index grows from its beginning, overflow buckets
// from its end, by whole segments that the log gives up. All of it is of this one size for ever, so
// a store never takes more memory than it was given.

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "far/fabric/copy.hpp"
#include "far/rma/direct.hpp"
#include "far/store/item.hpp"
#include "far/store/store_observer.hpp"

namespace far::stores {

/// A bucket of the index: the paper's 15 entries, and a word.
struct alignas(64) bucket {
  static constexpr std::size_t size = 15;

  std::uint64_t word = 0;  ///< bucket_word
  std::array<std::uint64_t, size> entries = {};
};
static_assert(sizeof(bucket) == 128);

/// The word of a bucket. Only in the first bucket of a chain do version and level matter.
///
///     bit  0          the chain is being changed
///     bits 1 to 31    a version, which every change of the chain increments
///     bits 32 to 37   how many low bits of the hash all keys of this bucket share
///     bits 38 to 63   the number of the next bucket of the chain, an overflow bucket; 0: none
struct bucket_word {
  std::uint64_t bits = 0;

  [[nodiscard]] bool is_changing() const noexcept { return (bits & 1) != 0; }
  [[nodiscard]] unsigned level() const noexcept { return static_cast<unsigned>(bits >> 32 & 63); }
  [[nodiscard]] std::uint64_t next() const noexcept { return bits >> 38; }
  /// A change begins or ends: the version is counted at its end.
  [[nodiscard]] bucket_word turned() const noexcept {
    return {(bits & ~std::uint64_t{0xffffffff}) | static_cast<std::uint32_t>(bits + 1)};
  }
  [[nodiscard]] bucket_word with_next(std::uint64_t number) const noexcept {
    return {(bits & ((std::uint64_t{1} << 38) - 1)) | number << 38};
  }
  [[nodiscard]] bucket_word with_level(unsigned level) const noexcept {
    return {(bits & ~(std::uint64_t{63} << 32)) | std::uint64_t{level} << 32};
  }
  static constexpr std::uint64_t max_next = (std::uint64_t{1} << 26) - 1;
};

enum class queue : std::uint8_t { small, main };
inline constexpr std::size_t queues = 2;

/// What is appended to one extent: items of one queue, the large ones apart from the others, whose
/// segment they would not let become full.
struct lane {
  queue of = queue::small;
  bool is_large = false;

  [[nodiscard]] std::size_t number() const noexcept {
    return 2 * static_cast<std::size_t>(of) + (is_large ? 1 : 0);
  }
};
inline constexpr std::size_t lanes = 2 * queues;

enum class segment_kind : std::uint8_t {
  free,
  items,      ///< the first segment of an extent
  continues,  ///< a further one
  taken,      ///< what it holds is moving or leaving
};

/// A segment. All but `kind` and `first` are of the extent that begins with it.
struct segment_info {
  std::uint64_t order = 0;   ///< when it was opened: extents are a queue in this order
  std::uint32_t used = 0;    ///< bytes, from its beginning
  std::uint32_t live = 0;    ///< bytes of items that are not dead
  std::uint32_t first = 0;   ///< the first segment of the extent
  std::uint32_t length = 0;  ///< segments
  segment_kind kind = segment_kind::free;
  lane of = {};
};

/// Counts of one rank's part since the store was made or reset_counts.
struct part_counts {
  std::uint64_t stored = 0;             ///< values stored
  std::uint64_t evicted = 0;            ///< items that made room for others
  std::uint64_t evicted_unfetched = 0;  ///< of these, no get had found so many
  std::uint64_t expired = 0;            ///< items whose memory was taken back after their expiry
  std::uint64_t expired_unfetched = 0;
  std::uint64_t refused = 0;  ///< values for which there was no memory
  std::uint64_t moved = 0;    ///< items copied to keep them
};

inline constexpr std::uint32_t no_segment = 0xffffffff;

struct part_state {
  std::uint64_t buckets = 0;  ///< of the index, without overflow; read without the lock

  alignas(64) std::uint64_t lock = 0;  ///< part_lock.hpp
  std::uint64_t line = 0;

  // What follows is read and written under the lock.
  alignas(64) std::uint64_t items = 0;
  std::uint64_t item_bytes = 0;
  std::uint64_t last_cas = 0;
  std::uint64_t next_order = 1;
  std::uint32_t log_begin = 0, log_end = 0;  ///< the segments that are neither index nor overflow
  std::uint32_t free_segments = 0;
  std::array<std::uint32_t, lanes> open = {};  ///< the extent to append to, or no_segment
  std::array<std::uint32_t, queues> segments_of = {};
  std::uint32_t next_sweep = 0;
  std::uint64_t overflow_buckets = 0;  ///< made so far
  std::uint64_t free_overflow = 0;     ///< the first of those not in use, linked by their words
  part_counts counts;
};

/// Sizes of a part, the same on all ranks.
struct part_shape {
  std::uint64_t segment_bytes = 0;
  std::uint32_t segments = 0;
  std::uint64_t ghosts = 0;  ///< a power of two
  bool evicts = true;

  /// The largest part of at most `bytes` that can hold items of `item_bytes`.
  /// Errors: bad_argument if it is too small for that, with numbers.
  [[nodiscard]] static part_shape of(std::uint64_t bytes, std::uint64_t item_bytes, bool evicts);

  [[nodiscard]] std::uint64_t segments_at() const noexcept { return sizeof(part_state); }
  [[nodiscard]] std::uint64_t ghosts_at() const noexcept {
    return segments_at() + segments * sizeof(segment_info);
  }
  [[nodiscard]] std::uint64_t arena_at() const noexcept {
    constexpr std::uint64_t page = 4096;
    return (ghosts_at() + ghosts * sizeof(std::uint16_t) + page - 1) / page * page;
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return arena_at() + segments * segment_bytes;
  }
};

/// A part, mapped here. Cheap to copy.
class part_memory {
 public:
  part_memory() = default;
  /// `observer`: null, or where who is told of evictions stands.
  part_memory(std::byte* base, const part_shape& shape,
              const std::atomic<store_observer*>* observer = nullptr) noexcept
      : base_(base), arena_(base + shape.arena_at()), shape_(shape), observer_(observer) {}

  [[nodiscard]] bool is_mapped() const noexcept { return base_ != nullptr; }
  /// Of zeroed memory. By the part's own rank, before others use it.
  void make() const;

  [[nodiscard]] const part_shape& shape() const noexcept { return shape_; }
  [[nodiscard]] part_state& state() const noexcept { return *reinterpret_cast<part_state*>(base_); }
  [[nodiscard]] segment_info& segment(std::uint64_t number) const noexcept {
    return reinterpret_cast<segment_info*>(base_ + shape_.segments_at())[number];
  }
  [[nodiscard]] std::uint16_t& ghost(key_hash hash) const noexcept {
    return reinterpret_cast<std::uint16_t*>(base_ +
                                            shape_.ghosts_at())[hash.bits & (shape_.ghosts - 1)];
  }
  [[nodiscard]] bucket& bucket_at(std::uint64_t number) const noexcept {
    return reinterpret_cast<bucket*>(arena_)[number];
  }
  /// `number`: from 1.
  [[nodiscard]] bucket& overflow(std::uint64_t number) const noexcept {
    return reinterpret_cast<bucket*>(
        arena_ + shape_.segments * shape_.segment_bytes)[-static_cast<std::int64_t>(number)];
  }
  [[nodiscard]] std::byte* at(std::uint64_t place) const noexcept {
    return base_ + place * grain_bytes;
  }
  [[nodiscard]] std::uint64_t place_in(std::uint64_t segment, std::uint64_t byte) const noexcept {
    return (shape_.arena_at() + segment * shape_.segment_bytes + byte) / grain_bytes;
  }
  /// The first segment of the extent in which a place is.
  [[nodiscard]] std::uint32_t extent_of(std::uint64_t place) const noexcept {
    return segment((place * grain_bytes - shape_.arena_at()) / shape_.segment_bytes).first;
  }

  // Headers, keys and values are read by ranks that hold no lock, while they are written.
  [[nodiscard]] item_header header(std::uint64_t place) const noexcept {
    item_header header;
    fabric::copy_bytes(&header, at(place), sizeof header);
    return header;
  }
  void set_header(std::uint64_t place, const item_header& header) const noexcept {
    fabric::copy_bytes(at(place), &header, sizeof header);
  }
  [[nodiscard]] std::byte* key(std::uint64_t place) const noexcept {
    return at(place) + sizeof(item_header);
  }
  [[nodiscard]] std::byte* value(std::uint64_t place, const item_header& header) const noexcept {
    return key(place) + header.key_bytes;
  }
  /// The key of an item that nobody changes.
  [[nodiscard]] std::string_view key_of(std::uint64_t place,
                                        const item_header& header) const noexcept {
    return {reinterpret_cast<const char*>(key(place)), header.key_bytes};
  }

  [[nodiscard]] store_observer* observer() const noexcept {
    return observer_ != nullptr ? observer_->load(std::memory_order_acquire) : nullptr;
  }

  /// The number of the bucket of a hash, of `buckets`.
  [[nodiscard]] static std::uint64_t bucket_of(key_hash hash, std::uint64_t buckets) noexcept {
    const std::uint64_t half = std::bit_floor(buckets);
    const std::uint64_t number = hash.bits & (2 * half - 1);
    return number < buckets ? number : number - half;
  }

 private:
  std::byte* base_ = nullptr;
  std::byte* arena_ = nullptr;
  part_shape shape_;
  const std::atomic<store_observer*>* observer_ = nullptr;
};

/// Words of shared memory.
[[nodiscard]] inline std::uint64_t load(const std::uint64_t& word) noexcept {
  return rma::load_word<std::uint64_t>(reinterpret_cast<const std::byte*>(&word));
}
inline void store(std::uint64_t& word, std::uint64_t value) noexcept {
  rma::store_word(reinterpret_cast<std::byte*>(&word), value);
}

}  // namespace far::stores
