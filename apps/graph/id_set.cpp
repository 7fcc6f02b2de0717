#include "apps/graph/id_set.hpp"

#include <algorithm>

namespace far::apps {

std::vector<std::int64_t> id_set::members(std::uint64_t begin, std::uint64_t end) const {
  std::vector<std::int64_t> result;
  if (begin >= end) return result;
  result.reserve(end - begin);
  // The last word with at most `begin` smaller members has the member at that position, or is
  // followed by empty words and one that has.
  const auto after = std::upper_bound(smaller_.begin(), smaller_.end(), begin);
  std::uint64_t at = static_cast<std::uint64_t>(after - smaller_.begin()) - 1;
  std::uint64_t position = smaller_[at];
  for (; position < end; ++at) {
    for (std::uint64_t rest = bits_[at]; rest != 0 && position < end; rest &= rest - 1) {
      const std::uint64_t id = at * 64 + static_cast<std::uint64_t>(std::countr_zero(rest));
      if (position++ >= begin) result.push_back(static_cast<std::int64_t>(first_ + id));
    }
  }
  return result;
}

}  // namespace far::apps
