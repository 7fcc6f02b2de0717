#include "far/store/part_extents.hpp"

#include <algorithm>

namespace far::stores {

std::uint32_t part_extents::wanted_length(std::uint64_t bytes) const noexcept {
  if (!lane_of(bytes, queue::small).is_large) return 1;
  // As many items of this size as lose the least at the end; but a queue is to have many extents.
  constexpr std::uint64_t items = 12;
  constexpr std::uint64_t share = 64;
  const part_state& state = part_.state();
  const std::uint64_t segment_bytes = part_.shape().segment_bytes;
  const std::uint32_t longest =
      std::max<std::uint32_t>((state.log_end - state.log_begin) / share, least_length(bytes));
  std::uint32_t best = 0;
  double most_full = 0;
  for (std::uint64_t count = 1; count <= items; ++count) {
    const std::uint32_t length = least_length(count * bytes);
    if (length > longest) break;
    const double full =
        static_cast<double>(count * bytes) / static_cast<double>(length * segment_bytes);
    if (full < most_full) continue;
    most_full = full;
    best = length;
  }
  return best;
}

part_extents::window part_extents::find_free(std::uint32_t length,
                                             std::uint32_t least) const noexcept {
  // The last one: segments at the beginning are the first that the index will need.
  const part_state& state = part_.state();
  window best;
  std::uint32_t found = 0;
  for (std::uint32_t number = state.log_end; number-- > state.log_begin;) {
    found = part_.segment(number).kind == segment_kind::free ? found + 1 : 0;
    if (found > best.length) best = {number, found};
    if (best.length == length) return best;
  }
  return best.length >= least ? best : window{};
}

std::uint32_t part_extents::cheapest(std::uint32_t length) const noexcept {
  const part_state& state = part_.state();
  std::uint32_t best = no_segment;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t first = state.log_begin; first + length <= state.log_end; ++first) {
    std::uint64_t cost = 0;
    for (std::uint32_t number = first; number < first + length && cost <= least; ++number) {
      if (part_.segment(number).kind == segment_kind::free) continue;
      const std::uint32_t extent = part_.segment(number).first;
      if (extent != number && number != first) continue;
      // Large items may find no other place, and leave.
      constexpr std::uint64_t leaving = 8;
      const segment_info& info = part_.segment(extent);
      cost += (info.of.is_large ? leaving : 1) * info.live;
    }
    if (cost <= least) {
      least = cost;
      best = first;
    }
  }
  return best;
}

void part_extents::fence(std::uint32_t number) const noexcept {
  part_.segment(number).kind = segment_kind::taken;
  --part_.state().free_segments;
}

void part_extents::release(std::uint32_t number) const noexcept {
  part_.segment(number) = {};
  ++part_.state().free_segments;
}

void part_extents::make(const window& which, lane of) const noexcept {
  part_state& state = part_.state();
  for (std::uint32_t number = which.first; number < which.first + which.length; ++number) {
    if (part_.segment(number).kind == segment_kind::free) fence(number);
    part_.segment(number) = {.first = which.first, .kind = segment_kind::continues};
  }
  segment_info& info = part_.segment(which.first);
  info.kind = segment_kind::items;
  info.order = state.next_order++;
  info.length = which.length;
  info.of = of;
  state.segments_of[static_cast<std::size_t>(of.of)] += which.length;
}

void part_extents::set_free(std::uint32_t first) const noexcept { shorten(first, 0); }

void part_extents::shorten(std::uint32_t first, std::uint32_t length) const noexcept {
  const segment_info info = part_.segment(first);
  part_.state().segments_of[static_cast<std::size_t>(info.of.of)] -= info.length - length;
  part_.segment(first).length = length;
  for (std::uint32_t number = first + length; number < first + info.length; ++number) {
    release(number);
  }
}

void part_extents::requeue(std::uint32_t first, queue to) const noexcept {
  part_state& state = part_.state();
  segment_info& info = part_.segment(first);
  state.segments_of[static_cast<std::size_t>(info.of.of)] -= info.length;
  state.segments_of[static_cast<std::size_t>(to)] += info.length;
  info.of.of = to;
  info.order = state.next_order++;
}

}  // namespace far::stores
