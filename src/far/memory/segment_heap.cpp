#include "far/memory/segment_heap.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/memory/reserved.hpp"

namespace far::memory {
namespace {

// Collective allocations are few, and what they hold is shared, so each gets cache lines of its
// own. Local ones may be many and small, such as nodes of trees.
constexpr std::uint64_t symmetric_granule = reserved_bytes;
constexpr std::uint64_t local_granule = 16;

std::uint64_t extent_of(int segment, const heap& blocks) noexcept {
  if (segment != fabric::symmetric_segment) return blocks.extent();
  return std::max(blocks.extent(), std::min(reserved_bytes, blocks.capacity()));
}

struct segment_names {
  const char* heap;
  const char* limits;
};

segment_names names_of(int segment) {
  if (segment == fabric::symmetric_segment) {
    return {"symmetric",
            "FAR_SYMMETRIC_HEAP, `far run --symmetric-heap` or job_options::symmetric_bytes"};
  }
  if (segment == fabric::nic_segment) return {"nic", "FAR_NIC_HEAP"};
  return {"local", "FAR_LOCAL_HEAP, `far run --local-heap` or job_options::local_bytes"};
}

std::string in_words(std::uint64_t bytes) {
  constexpr std::uint64_t unit = 1024;
  if (bytes < unit) return fmt::format("{} bytes", bytes);
  auto value = static_cast<double>(bytes) / unit;
  const char* name = "KiB";
  for (const char* next : {"MiB", "GiB", "TiB"}) {
    if (value < unit) break;
    value /= unit;
    name = next;
  }
  return fmt::format("{:.4g} {}", value, name);
}

}  // namespace

segment_heap::segment_heap(fabric::fabric& fabric, int segment, std::uint64_t granule)
    : fabric_(&fabric),
      segment_(segment),
      heap_(fabric.layout().bytes[static_cast<std::size_t>(segment)], granule) {
  fabric.set_extent(segment, extent_of(segment, heap_));
}

std::uint64_t segment_heap::checked_alignment(std::uint64_t alignment,
                                              std::uint64_t of_type) const {
  const std::uint64_t most =
      segment_ == fabric::symmetric_segment ? fabric_->layout().alignment : max_alignment;
  if (!std::has_single_bit(alignment) || alignment > most) {
    throw bad_argument(fmt::format(
        "memory aligned to {} bytes: an alignment is a power of two, at most {}", alignment, most));
  }
  return std::max(alignment, of_type);
}

fabric::address segment_heap::allocate(std::uint64_t count, std::uint64_t size,
                                       std::uint64_t alignment) {
  heap::block block;
  std::vector<heap::range> used;
  {
    const std::scoped_lock lock(mutex_);
    if (count > heap_.capacity() / size) throw_full(count, size);
    block = heap_.allocate(count * size, alignment);
    if (block.offset == 0) throw_full(count, size);
    used = heap_.use(block.offset, block.offset + block.bytes);
    note(block.offset, block.bytes);
    fabric_->set_extent(segment_, extent_of(segment_, heap_));
  }
  clear(used);
  return {fabric_->rank(), segment_, block.offset};
}

void segment_heap::clear(const std::vector<heap::range>& used) const {
  for (const heap::range& one : used) {
    std::byte* const begin = fabric_->local({fabric_->rank(), segment_, one.begin});
    std::memset(begin, 0, one.end - one.begin);
  }
}

fabric::address segment_heap::reallocate(fabric::address place, std::uint64_t count,
                                         std::uint64_t size, std::uint64_t alignment) {
  if (!place) return allocate(count, size, alignment);
  std::uint64_t kept = 0;
  {
    const std::scoped_lock lock(mutex_);
    const heap::block before = holds(place) ? heap_.at(place.offset()) : heap::block{};
    if (before.offset == 0) throw_not_here(place, "resize");
    if (count > heap_.capacity() / size) throw_full(count, size);
    kept = std::min(before.bytes, count * size);
    if (place.offset() % alignment == 0) {
      const heap::block after = heap_.resize(place.offset(), count * size);
      if (after.offset != 0) {
        note(after.offset, after.bytes);
        fabric_->set_extent(segment_, extent_of(segment_, heap_));
        // What was requested before may hold anything up to the old end: it may have been longer.
        clear(heap_.use(place.offset() + kept, place.offset() + after.bytes));
        return place;
      }
    }
  }
  const fabric::address moved = allocate(count, size, alignment);
  std::memcpy(fabric_->local(moved), fabric_->local(place), kept);
  deallocate(place);
  return moved;
}

void segment_heap::deallocate(fabric::address place, std::uint64_t written) {
  if (!place) return;
  const std::scoped_lock lock(mutex_);
  if (!holds(place) || !heap_.deallocate(place.offset(), written)) throw_not_here(place, "free");
  note(place.offset(), 0);
  fabric_->set_extent(segment_, extent_of(segment_, heap_));
}

void segment_heap::throw_not_here(fabric::address place, const char* verb) const {
  throw bad_argument(
      fmt::format("rank {} cannot {} offset {} of segment {} of rank {} in its {} heap: no "
                  "allocation begins there; was it freed before, or by another rank?",
                  fabric_->rank(), verb, place.offset(), place.segment(), place.rank(),
                  names_of(segment_).heap));
}

std::string segment_heap::describe(std::uint64_t offset, std::uint64_t bytes) const {
  const std::scoped_lock lock(mutex_);
  const heap::block near = heap_.at_or_below(offset);
  if (near.offset == 0) return "below which nothing is allocated";
  const std::uint64_t end = near.offset + near.bytes;
  if (offset < end && bytes <= end - offset)
    return "which that rank has not allocated, or has freed";
  const std::string which =
      fmt::format("an allocation of {} bytes at offset {}", near.bytes, near.offset);
  if (offset >= end) return fmt::format("{} bytes past the end of {}", offset - end, which);
  return fmt::format("of which {} bytes are past the end of {}", bytes - (end - offset), which);
}

std::uint64_t segment_heap::history() const {
  const std::scoped_lock lock(mutex_);
  return history_;
}

void segment_heap::throw_full(std::uint64_t count, std::uint64_t size) const {
  throw out_of_memory(fmt::format(
      "cannot allocate {} objects of {} bytes in the {} heap of rank {}: of its {}, {} are free, "
      "{} in one piece; raise the limit with {}",
      count, size, names_of(segment_).heap, fabric_->rank(), in_words(heap_.capacity()),
      in_words(heap_.free_bytes()), in_words(heap_.largest_free()), names_of(segment_).limits));
}

void segment_heap::note(std::uint64_t what, std::uint64_t bytes) noexcept {
  history_ = base::mix(base::mix(history_ + what) + bytes);
}

heaps::heaps(rank_state& state)
    : symmetric_(state.fabric(), fabric::symmetric_segment, symmetric_granule),
      local_(state.fabric(), fabric::local_segment, local_granule) {
  if (state.fabric().layout().bytes[fabric::nic_segment] > 0) {
    nic_.emplace(state.fabric(), fabric::nic_segment, symmetric_granule);
  }
  state.fabric().describe_access = [](const fabric::fabric& at, fabric::address place,
                                      std::uint64_t bytes) {
    if (at.owner == nullptr) return std::string();  // the rank is leaving its job
    return static_cast<rank_state*>(at.owner)->get<heaps>().describe(place, bytes, at.rank());
  };
}

std::string heaps::describe(fabric::address place, std::uint64_t bytes, int rank) const {
  if (place.segment() == fabric::symmetric_segment)
    return symmetric_.describe(place.offset(), bytes);
  if (place.segment() == fabric::nic_segment && nic_) return nic_->describe(place.offset(), bytes);
  const bool own = place.segment() == fabric::local_segment && place.rank() == rank;
  return own ? local_.describe(place.offset(), bytes) : "";  // of other ranks: only extent known
}

std::uint64_t heaps::history() const {
  return nic_ ? base::mix(symmetric_.history()) + nic_->history() : symmetric_.history();
}

}  // namespace far::memory
