#pragma once

#include <cstddef>
#include <vector>

#include "far/team/team.hpp"

namespace far::apps {

/// Collective: all ranks' lists, of any lengths, one behind the other in rank order, on rank 0;
/// nothing elsewhere, so that what one rank has room for need not fit on all.
template <class T>
std::vector<T> gather_lists(const world& world, const std::vector<T>& mine) {
  std::vector<std::size_t> to_each(static_cast<std::size_t>(world.size()), 0);
  to_each.front() = mine.size();
  return alltoallv(world, mine, to_each);
}

}  // namespace far::apps
