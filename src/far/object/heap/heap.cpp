#include "far/object/heap/heap.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/object/heap/stale_memory.hpp"

namespace far::objects {
namespace {

/// Regions that take more go to free blocks first, and do not use up gaps that are too small.
constexpr std::uint64_t small_room = 1024;

auto has_room(std::uint64_t room) {
  return [room](const free_range& gap) { return gap.bytes() >= room; };
}

}  // namespace

void object_heap::release_memory::operator()(std::uint64_t* memory) const noexcept {
  std::free(memory);
}

object_heap::object_heap(std::byte* memory, std::uint64_t bytes, std::uint64_t limit, int rank)
    : memory_(memory), bytes_(bytes), limit_(limit), rank_(rank) {
  starts_.reset(
      static_cast<std::uint64_t*>(std::calloc(words_of_bitmap(bytes), sizeof(std::uint64_t))));
  if (starts_ == nullptr) throw std::bad_alloc();
}

std::optional<object_heap::block_run> object_heap::take_blocks(std::uint64_t count) {
  const std::uint64_t wanted = count * block_bytes;
  const auto run =
      std::ranges::find_if(free_blocks_, [&](const auto& r) { return r.second >= wanted; });
  if (run != free_blocks_.end()) {
    const auto [offset, bytes] = *run;
    free_blocks_.erase(run);
    if (bytes > wanted) free_blocks_.emplace(offset + wanted, bytes - wanted);
    free_ -= wanted;
    return block_run{offset, true};
  }
  if (used_ + wanted > limit_) return {};
  used_ += wanted;
  return block_run{used_ - wanted, false};
}

void object_heap::grow(std::uint64_t count) noexcept {
  const std::uint64_t wanted = std::max(2 * used(), used_ + count * block_bytes);
  limit_ = std::max(limit_, std::min(bytes_, wanted));
}

void object_heap::throw_full(std::uint64_t blocks, std::string_view why) const {
  throw out_of_memory(fmt::format(
      "object_space: rank {} needs {} KB for new objects, but {} of its {} KB are used{}: raise "
      "object_space_options::heap_bytes or FAR_OBJECT_HEAP",
      rank_, blocks * (block_bytes >> 10), used() >> 10, bytes_ >> 10, why));
}

void object_heap::clear(const block_run& run, std::uint64_t count) const noexcept {
  if (!run.is_used_again) return;
  permit(memory_ + run.offset, count * block_bytes);
  std::memset(memory_ + run.offset, 0, count * block_bytes);
}

void object_heap::give_back(free_memory& rest) {
  if (rest.range.bytes() > 0) rest.gaps.push_back(rest.range);
  if (!rest.gaps.empty()) gaps_.push_back(std::move(rest.gaps));
  rest = {};
}

free_memory object_heap::take_rest() {
  if (gaps_.empty()) return {};
  free_memory rest{{}, std::move(gaps_.back())};
  gaps_.pop_back();
  return rest;
}

bool object_heap::next_gap(free_memory& own, std::uint64_t room) const noexcept {
  const auto gap = std::ranges::find_if(own.gaps.rbegin(), own.gaps.rend(), has_room(room));
  if (gap == own.gaps.rend()) return false;
  const free_range rest = std::exchange(own.range, *gap);
  own.gaps.erase(std::next(gap).base());
  if (rest.bytes() > small_room) own.gaps.push_back(rest);
  permit(memory_ + own.range.next, own.range.bytes());
  std::memset(memory_ + own.range.next, 0, own.range.bytes());
  return true;
}

/// Takes all gaps of a block of which one is large enough.
bool object_heap::take_gaps(free_memory& own, std::uint64_t room) {
  const auto found = std::ranges::find_if(gaps_.rbegin(), gaps_.rend(), [&](const auto& gaps) {
    return std::ranges::any_of(gaps, has_room(room));
  });
  if (found == gaps_.rend()) return false;
  // Gaps that are too small even for a small region are left to the next collection.
  if (room <= small_room) own.gaps.clear();
  own.gaps.insert(own.gaps.end(), found->begin(), found->end());
  gaps_.erase(std::next(found).base());
  return next_gap(own, room);
}

bool object_heap::find_room(free_memory& own, std::uint64_t room) {
  if (room <= small_room && take_gaps(own, room)) return true;
  if (const auto block = take_blocks(1)) {
    clear(*block, 1);
    const free_range rest = std::exchange(own.range, {block->offset, block->offset + block_bytes});
    if (rest.bytes() > small_room) own.gaps.push_back(rest);
    return true;
  }
  return take_gaps(own, room);
}

void object_heap::begin_region(std::uint64_t offset, const region_header& header) noexcept {
  *reinterpret_cast<region_header*>(memory_ + offset - sizeof(region_header)) = header;
  const std::uint64_t n = offset / granule;
  std::atomic_ref<std::uint64_t> word(starts_[n / 64]);
  word.store(word.load(std::memory_order_relaxed) | (std::uint64_t{1} << (n % 64)),
             std::memory_order_release);
}

std::uint64_t object_heap::make_small(free_range& from, const type_descriptor& type,
                                      std::uint64_t count) noexcept {
  const std::uint64_t room = room_of_region(count * type.size());
  if (room > from.bytes()) return 0;
  const std::uint64_t offset = from.next + sizeof(region_header);
  begin_region(offset, {type.id(), static_cast<std::uint16_t>(count), 0, count});
  from.next += room;
  return offset;
}

std::uint64_t object_heap::make_large(std::uint64_t blocks, const type_descriptor& type,
                                      std::uint64_t count) {
  const std::uint64_t each = per_piece(type.size());
  for (std::uint64_t piece = 0; piece * each < count; ++piece) {
    const auto length = static_cast<std::uint16_t>(std::min(each, count - piece * each));
    begin_region(blocks + piece * block_bytes + sizeof(region_header),
                 {type.id(), length, 0, (piece << 40) | count});
  }
  return blocks + sizeof(region_header);
}

bool object_heap::is_region(std::uint64_t offset) const noexcept {
  if (offset % granule != 0 || offset >= bytes_) return false;
  const std::uint64_t n = offset / granule;
  const std::atomic_ref<std::uint64_t> word(starts_[n / 64]);
  return ((word.load(std::memory_order_acquire) >> (n % 64)) & 1) != 0;
}

}  // namespace far::objects
