#include "far/store/part_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::stores {
namespace {

constexpr std::uint64_t first_buckets = 8;

}  // namespace

part_shape part_shape::of(std::uint64_t bytes, std::uint64_t item_bytes, bool evicts) {
  constexpr std::uint64_t smallest = 16 << 10, largest = 1 << 20, wanted = 1024;
  part_shape shape;
  shape.evicts = evicts;
  shape.segment_bytes = std::clamp(std::bit_floor(bytes / wanted), smallest, largest);
  shape.ghosts = std::bit_floor(std::max<std::uint64_t>(bytes / 128, 64));
  // The table of segments takes part of the memory, too.
  const std::uint64_t fixed = sizeof(part_state) + shape.ghosts * sizeof(std::uint16_t) + 4096;
  const std::uint64_t each = shape.segment_bytes + sizeof(segment_info);
  shape.segments = static_cast<std::uint32_t>(bytes > fixed ? (bytes - fixed) / each : 0);
  const std::uint64_t run = (item_bytes + shape.segment_bytes - 1) / shape.segment_bytes;
  const std::uint64_t needed = 2 * (run + 8);  // so that an item takes at most half of the log
  if (shape.segments < needed) {
    throw bad_argument(fmt::format(
        "a store of items of up to {} bytes needs {} bytes at each rank, but there are {}",
        item_bytes, fixed + needed * each, bytes));
  }
  return shape;
}

void part_memory::make() const {
  part_state& all = state();
  for (std::uint64_t b = 0; b < first_buckets; ++b) {
    bucket_at(b).word =
        bucket_word{}.with_level(static_cast<unsigned>(std::countr_zero(first_buckets))).bits;
  }
  all.buckets = first_buckets;
  all.log_begin = 1;
  all.log_end = shape_.segments;
  all.open.fill(no_segment);
  all.free_segments = all.log_end - all.log_begin;
  all.next_order = 1;
}

}  // namespace far::stores
