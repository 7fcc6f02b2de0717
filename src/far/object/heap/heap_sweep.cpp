// Freeing the regions that a collection has not reached.

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>

#include "far/object/heap/heap.hpp"
#include "far/object/heap/stale_memory.hpp"
#include "far/object/monitor/monitor_table.hpp"

namespace far::objects {
namespace {

constexpr std::uint64_t least_gap = room_of_region(1);

/// Sizes of elements; the last type is mostly the next one, too.
class size_lookup {
 public:
  explicit size_lookup(const object_heap::type_table& types) noexcept : types_(&types) {}

  std::uint64_t operator()(std::uint32_t type) {
    if (type != last_) {
      size_ = types_->at(type)->size();
      last_ = type;
    }
    return size_;
  }

 private:
  const object_heap::type_table* types_;
  std::uint32_t last_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace

swept_memory object_heap::sweep(const std::uint64_t* marked, const type_table& types,
                                base::function_ref<void(std::size_t, std::uint64_t)> on_freed) {
  constexpr std::size_t words_of_block = block_bytes / granule / 64;
  swept_memory result;
  size_lookup size_of(types);
  gaps_.clear();
  free_blocks_.clear();
  free_ = 0;
  std::vector<free_range> gaps;
  for (std::uint64_t block = 0; block < used_; block += block_bytes) {
    std::uint64_t free_from = block;
    const auto end_gap = [&](std::uint64_t end) {
      if (free_from + least_gap <= end) gaps.push_back({free_from, end});
    };
    const std::size_t first = block / granule / 64;
    for (std::size_t w = first; w < first + words_of_block; ++w) {
      const std::atomic_ref<std::uint64_t> starts(starts_[w]);
      std::uint64_t freed = 0;
      for (std::uint64_t left = starts.load(std::memory_order_relaxed); left != 0;
           left &= left - 1) {
        const std::uint64_t bit = left & -left;
        const std::uint64_t offset =
            (w * 64 + static_cast<std::uint64_t>(std::countr_zero(left))) * granule;
        std::byte* const data = data_at(offset);
        const region_header header = header_of_region(data);
        const std::uint64_t bytes = header.length * size_of(header.type);
        const bool is_whole = header.piece() == 0;
        // A message that a thread leaves the monitor may still be under way.
        if ((marked[w] & bit) != 0 || !monitor_word(data).is_free()) {
          end_gap(offset - sizeof(region_header));
          free_from = offset - sizeof(region_header) + room_of_region(bytes);
          result.live_objects += is_whole ? 1 : 0;
          result.live_bytes += bytes;
        } else {
          freed |= bit;
          *reinterpret_cast<region_header*>(data - sizeof(region_header)) = {};
          forbid(data, bytes);
          result.freed_objects += is_whole ? 1 : 0;
          result.freed_bytes += bytes;
        }
      }
      if (freed == 0) continue;
      starts.store(starts.load(std::memory_order_relaxed) & ~freed, std::memory_order_relaxed);
      on_freed(w, freed);
    }
    if (free_from > block) {
      end_gap(block + block_bytes);
      std::ranges::reverse(gaps);  // they are taken from the back
      if (!gaps.empty()) gaps_.push_back(std::move(gaps));
      gaps.clear();
      continue;
    }
    free_ += block_bytes;
    const auto last = free_blocks_.empty() ? free_blocks_.end() : std::prev(free_blocks_.end());
    if (last != free_blocks_.end() && last->first + last->second == block) {
      last->second += block_bytes;
    } else {
      free_blocks_.emplace(block, block_bytes);
    }
  }
  std::ranges::reverse(gaps_);  // low ones first, so that high blocks become free
  return result;
}

}  // namespace far::objects
