#include "far/array/nd/ghosts.hpp"

#include <algorithm>

namespace far::detail {
namespace {

/// Ranges of `count` cells from `to` on, the first of which stands for index `first`, modulo the
/// extent.
void add_wrapped(std::vector<ghost_range>& ranges, std::uint64_t first, std::uint64_t count,
                 std::uint64_t to, std::uint64_t extent) {
  while (count > 0) {
    const std::uint64_t n = std::min(count, extent - first);
    ranges.push_back({first, n, to, false});
    to += n;
    count -= n;
    first = 0;
  }
}

}  // namespace

std::vector<ghost_range> ghost_ranges(std::uint64_t begin, std::uint64_t count, std::uint64_t width,
                                      std::uint64_t extent, bool periodic) {
  std::vector<ghost_range> ranges;
  const std::uint64_t end = begin + count;
  if (periodic) {
    add_wrapped(ranges, (begin % extent + extent - width % extent) % extent, width, 0, extent);
  } else {
    const std::uint64_t before = std::min(width, begin);
    if (before > 0) ranges.push_back({begin - before, before, width - before, false});
  }
  ranges.push_back({begin, count, width, true});
  if (periodic) {
    add_wrapped(ranges, end % extent, width, width + count, extent);
  } else {
    const std::uint64_t after = std::min(width, extent - end);
    if (after > 0) ranges.push_back({end, after, width + count, false});
  }
  return ranges;
}

}  // namespace far::detail
