#pragma once

#include <cstddef>
#include <vector>

#include "far/team/team.hpp"

namespace far {

/// Collective: sends lists[r] to rank r; returns the list received from each rank.
template <class T>
std::vector<std::vector<T>> exchange_lists(const world& world,
                                           const std::vector<std::vector<T>>& lists) {
  std::vector<T> outgoing;
  std::vector<std::size_t> to_each, from_each;
  for (const auto& list : lists) {
    outgoing.insert(outgoing.end(), list.begin(), list.end());
    to_each.push_back(list.size());
  }
  const std::vector<T> incoming = alltoallv(world, outgoing, to_each, &from_each);
  std::vector<std::vector<T>> result;
  auto from = incoming.begin();
  for (const std::size_t count : from_each) {
    const auto to = from + static_cast<std::ptrdiff_t>(count);
    result.emplace_back(from, to);
    from = to;
  }
  return result;
}

}  // namespace far
