#pragma once

#include <cstddef>
#include <vector>

#include "far/team/team.hpp"

namespace far::apps {

/// Collective: concatenates all ranks' lists, of any lengths, in rank order on rank 0. Other ranks
/// get an empty list, so only rank 0 needs the memory.
template <class T>
std::vector<T> gather_lists(const world& world, const std::vector<T>& mine) {
  std::vector<std::size_t> to_each(static_cast<std::size_t>(world.size()), 0);
  to_each.front() = mine.size();
  return alltoallv(world, mine, to_each);
}

}  // namespace far::apps
