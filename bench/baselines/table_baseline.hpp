#pragma once
// A hand-written hash table of 8-byte keys and values in memory that processes share, to compare
// far::hash_map with. Nothing here uses libfar. Open addressing; a flag word in each bucket states
// whether it is empty, being written or whole, and counts its readers.

#include <atomic>
#include <cstdint>
#include <optional>

#include "bench/baselines/common.hpp"

namespace far::bench::baseline {

/// In shared memory, initially zero. The number of buckets is a power of two; never full.
class table {
 public:
  struct bucket {
    std::atomic<std::uint64_t> flag;
    std::uint64_t key;
    std::uint64_t value;
    std::uint64_t unused;
  };

  table(bucket* buckets, std::uint64_t count) noexcept : buckets_(buckets), mask_(count - 1) {}

  /// Returns false if the key exists.
  bool insert(std::uint64_t key, std::uint64_t value, std::uint64_t hash) noexcept {
    for (std::uint64_t i = hash & mask_;; i = (i + 1) & mask_) {
      bucket& at = buckets_[i];
      std::uint64_t seen = empty;
      if (at.flag.compare_exchange_strong(seen, written, std::memory_order_acq_rel)) {
        at.key = key;
        at.value = value;
        at.flag.fetch_add(whole - written, std::memory_order_release);
        return true;
      }
      spin_until([&] { return (at.flag.load(std::memory_order_acquire) & states) != written; });
      if (at.key == key) return false;
    }
  }

  /// Allowed while others change values: they wait until there are no readers.
  std::optional<std::uint64_t> find(std::uint64_t key, std::uint64_t hash) noexcept {
    for (std::uint64_t i = hash & mask_;; i = (i + 1) & mask_) {
      bucket& at = buckets_[i];
      const std::uint64_t flag = at.flag.fetch_add(reader, std::memory_order_acquire);
      const bool same = (flag & states) == whole && at.key == key;
      const std::uint64_t value = at.value;
      at.flag.fetch_sub(reader, std::memory_order_release);
      if (same) return value;
      if ((flag & states) == empty) return std::nullopt;
    }
  }

  /// Only while no process changes the table.
  [[nodiscard]] std::optional<std::uint64_t> find_unchanged(std::uint64_t key,
                                                            std::uint64_t hash) const noexcept {
    for (std::uint64_t i = hash & mask_;; i = (i + 1) & mask_) {
      const bucket& at = buckets_[i];
      if (at.flag.load(std::memory_order_relaxed) == empty) return std::nullopt;
      if (at.key == key) return at.value;
    }
  }

 private:
  static constexpr std::uint64_t empty = 0;
  static constexpr std::uint64_t written = 1;
  static constexpr std::uint64_t whole = 2;
  static constexpr std::uint64_t states = 3;
  static constexpr std::uint64_t reader = 4;

  bucket* buckets_;
  std::uint64_t mask_;
};

}  // namespace far::bench::baseline
