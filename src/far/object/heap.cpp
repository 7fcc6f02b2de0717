#include "far/object/heap.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::objects {

void object_heap::free_memory::operator()(std::uint64_t* memory) const noexcept {
  std::free(memory);
}

object_heap::object_heap(std::byte* memory, std::uint64_t bytes, int rank)
    : memory_(memory), bytes_(bytes), rank_(rank) {
  starts_.reset(
      static_cast<std::uint64_t*>(std::calloc(words_of_bitmap(bytes), sizeof(std::uint64_t))));
  if (starts_ == nullptr) throw std::bad_alloc();
}

std::uint64_t object_heap::take_blocks(std::uint64_t count) {
  const std::uint64_t free_blocks = (bytes_ - used_) / block_bytes;
  if (count > free_blocks) {
    throw out_of_memory(fmt::format(
        "object_space: rank {} needs {} KB for new objects, but {} of its {} MB are used: raise "
        "object_space_options::heap_bytes or FAR_OBJECT_HEAP",
        rank_, count * (block_bytes >> 10), used_ >> 20, bytes_ >> 20));
  }
  const std::uint64_t first = used_;
  used_ += count * block_bytes;
  return first;
}

free_range object_heap::take_rest() {
  if (rests_.empty()) return {};
  const free_range last = rests_.back();
  rests_.pop_back();
  return last;
}

void object_heap::give_back(const free_range& rest) {
  if (rest.next < rest.end) rests_.push_back(rest);
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
  // An empty array, too, has an address of its own.
  const std::uint64_t used = std::max<std::uint64_t>(count * type.size(), 1);
  const std::uint64_t bytes = (used + granule - 1) / granule * granule;
  const std::uint64_t offset = from.next + sizeof(region_header);
  if (offset + bytes > from.end) return 0;
  begin_region(offset, {type.id(), static_cast<std::uint16_t>(count), 0, count});
  from.next = offset + bytes;
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
