#include "far/memory/heap.hpp"

#include <algorithm>
#include <iterator>

#include "far/base/check.hpp"

namespace far::memory {
namespace {

constexpr bool is_power_of_two(std::uint64_t n) noexcept { return n != 0 && (n & (n - 1)) == 0; }

constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t step) noexcept {
  return (n + step - 1) & ~(step - 1);
}

}  // namespace

heap::heap(std::uint64_t capacity, std::uint64_t granule)
    : capacity_(capacity & ~(granule - 1)), granule_(granule) {
  FAR_CHECK(is_power_of_two(granule) && granule <= max_alignment, "the granule of a heap");
  // The first granule is never allocated, because offset 0 is null.
  if (capacity_ <= granule) return;
  insert_free(granule, capacity_ - granule);
  zero_.emplace(granule, capacity_);
}

heap::block heap::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  FAR_CHECK(is_power_of_two(alignment), "alignment of an allocation");
  if (bytes > capacity_) return {};
  const std::uint64_t asked = bytes;
  bytes = std::max(round_up(bytes, granule_), granule_);
  alignment = std::max(alignment, granule_);
  for (auto fit = by_size_.lower_bound({bytes, 0}); fit != by_size_.end(); ++fit) {
    const auto [space, begin] = *fit;
    const std::uint64_t offset = round_up(begin, alignment);
    if (offset - begin > space - bytes) continue;
    erase_free(free_.find(begin));
    if (offset > begin) insert_free(begin, offset - begin);
    const std::uint64_t end = offset + bytes;
    if (end < begin + space) insert_free(end, begin + space - end);
    live_.emplace(offset, held{bytes, asked});
    return {offset, bytes};
  }
  return {};
}

heap::block heap::resize(std::uint64_t offset, std::uint64_t bytes) {
  const auto found = live_.find(offset);
  if (found == live_.end() || bytes > capacity_) return {};
  held& now = found->second;
  const std::uint64_t asked = bytes;
  bytes = std::max(round_up(bytes, granule_), granule_);
  const std::uint64_t old_end = offset + now.bytes;
  const std::uint64_t end = offset + bytes;
  // From the free space behind it, or to it.
  const auto behind = free_.find(old_end);
  const std::uint64_t free_end = behind == free_.end() ? old_end : old_end + behind->second;
  if (end > free_end) return {};
  if (behind != free_.end()) erase_free(behind);
  if (end < free_end) insert_free(end, free_end - end);
  now = {bytes, asked};
  return {offset, bytes};
}

std::vector<heap::range> heap::use(std::uint64_t begin, std::uint64_t end) {
  std::vector<range> used;
  auto next = zero_.upper_bound(begin);
  if (next != zero_.begin() && std::prev(next)->second > begin) --next;
  while (begin < end) {
    const auto [zero_begin, zero_end] =
        next == zero_.end() ? std::pair(end, end) : std::pair(next->first, next->second);
    if (zero_begin > begin) used.push_back({begin, std::min(zero_begin, end)});
    if (zero_begin >= end) break;
    next = zero_.erase(next);
    if (zero_begin < begin) zero_.emplace(zero_begin, begin);
    if (zero_end > end) zero_.emplace(end, zero_end);
    begin = zero_end;
  }
  return used;
}

heap::block heap::at(std::uint64_t offset) const {
  const auto found = live_.find(offset);
  return found == live_.end() ? block{} : block{offset, found->second.asked};
}

bool heap::deallocate(std::uint64_t offset, std::uint64_t written) {
  const auto found = live_.find(offset);
  if (found == live_.end()) return false;
  std::uint64_t begin = offset;
  std::uint64_t end = offset + found->second.bytes;
  if (written < found->second.bytes) zero_.emplace(offset + written, end);
  live_.erase(found);
  const auto next = free_.lower_bound(begin);
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == begin) {
      begin = previous->first;
      erase_free(previous);
    }
  }
  if (next != free_.end() && next->first == end) {
    end += next->second;
    erase_free(next);
  }
  insert_free(begin, end - begin);
  return true;
}

heap::block heap::at_or_below(std::uint64_t offset) const {
  block nearest;
  for (const auto& [begin, one] : live_) {
    if (begin <= offset && begin >= nearest.offset) nearest = {begin, one.asked};
  }
  return nearest;
}

std::uint64_t heap::extent() const noexcept {
  if (live_.empty()) return 0;
  if (free_.empty()) return capacity_;
  const auto [offset, bytes] = *free_.rbegin();
  return offset + bytes == capacity_ ? offset : capacity_;
}

std::uint64_t heap::largest_free() const noexcept {
  return by_size_.empty() ? 0 : by_size_.rbegin()->first;
}

void heap::insert_free(std::uint64_t offset, std::uint64_t bytes) {
  free_.emplace(offset, bytes);
  by_size_.emplace(bytes, offset);
  free_bytes_ += bytes;
}

void heap::erase_free(std::map<std::uint64_t, std::uint64_t>::iterator gone) {
  free_bytes_ -= gone->second;
  by_size_.erase({gone->second, gone->first});
  free_.erase(gone);
}

}  // namespace far::memory
