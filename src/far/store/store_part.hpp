#pragma once
// A rank's part of a store, and its ways to the others.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "far/containers/map/key_work.hpp"
#include "far/containers/map/map_choices.hpp"
#include "far/containers/policy.hpp"
#include "far/homes/part.hpp"
#include "far/memory/ptr.hpp"
#include "far/store/copies.hpp"
#include "far/store/part_memory.hpp"
#include "far/store/request.hpp"
#include "far/store/sharers.hpp"
#include "far/world/world.hpp"

namespace far {

struct store_options {
  /// Memory of all ranks together, for items and index.
  std::uint64_t memory_bytes = std::uint64_t{64} << 20;
  /// Of an item: 24 bytes, key and value.
  std::uint64_t max_item_bytes = stores::max_item_bytes;
  /// False: what finds no room is refused, and nothing is evicted.
  bool evicts = true;
  /// Whether ranks keep copies of items of other machines, and how much memory they take at each
  /// rank, beside memory_bytes. 0: an eighth of a rank's part of that.
  copying copies = copying::automatic;
  std::uint64_t copy_bytes = 0;
  /// How ranks read items of other machines of which they have no copy.
  policy reads = policy::automatic;
};

/// Of one rank's part. The first four are as of now, the others since the store was made.
struct store_counts : stores::part_counts {
  std::uint64_t items = 0;
  std::uint64_t item_bytes = 0;    ///< headers, keys and values
  std::uint64_t memory_bytes = 0;  ///< of the part
  std::uint64_t index_bytes = 0;   ///< of these, taken by the index
};

namespace stores {

struct store_part : homes::part {
  /// Collective. Errors: bad_argument if the memory is too small; out_of_memory.
  store_part(const world& world, const store_options& options);

  [[nodiscard]] const part_memory* mapped_part(int home) const noexcept {
    const part_memory& there = mapped[static_cast<std::size_t>(home)];
    return there.is_mapped() ? &there : nullptr;
  }

  store_options options;
  part_shape shape;
  sharers shared;                   ///< of this rank's items, under the mutex
  copies copied;                    ///< of other ranks' items
  ptr<std::byte> memory;            ///< symmetric
  std::vector<part_memory> mapped;  ///< by rank; those of other machines are reached by calls
  std::vector<std::atomic<std::uint64_t>> buckets_seen;  ///< by rank, for one-sided reads
  std::shared_ptr<containers::map_choices> choices;      ///< between those and calls; may be null
  containers::key_work work;
  std::atomic<store_observer*> observer = nullptr;
  std::vector<std::shared_ptr<store_observer>> observers;  ///< all there were, under the mutex
};

/// The store's second of a rank. Seconds begin at 2, so that 1 has passed.
[[nodiscard]] inline store_second second_of(const fabric::fabric& rank) {
  return static_cast<store_second>(rank.now() / 1'000'000'000) + 2;
}

[[nodiscard]] store_counts counts_of(const part_memory& part);

}  // namespace stores
}  // namespace far
