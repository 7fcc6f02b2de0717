#include "far/graph/ghost_routes.hpp"

#include <algorithm>
#include <utility>

#include "far/graph/exchange_lists.hpp"

namespace far::graphs {

ghost_routes::ghost_routes(const world& world, const csr_graph& graph) {
  const auto ranks = static_cast<std::size_t>(world.size());
  for (std::size_t r = 0; r <= ranks; ++r) {
    const auto place = std::ranges::lower_bound(graph.ghosts, graph.starts[r]);
    groups_.push_back(static_cast<std::uint64_t>(place - graph.ghosts.begin()));
  }
  words_.push_back(0);
  // A request: where the values and the bits of these ghosts lie here, then the vertices.
  std::vector<std::vector<std::uint64_t>> wishes(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    const std::uint64_t count = groups_[r + 1] - groups_[r];
    words_.push_back(words_[r] + (count + 63) / 64);
    if (count == 0) continue;
    ++owners_;
    wishes[r] = {groups_[r], words_[r]};
    const auto first = graph.ghosts.begin() + static_cast<std::ptrdiff_t>(groups_[r]);
    wishes[r].insert(wishes[r].end(), first, first + static_cast<std::ptrdiff_t>(count));
  }
  const auto received = exchange_lists(world, wishes);
  const std::uint64_t own_begin = graph.first(world.rank());
  for (std::size_t r = 0; r < ranks; ++r) {
    if (received[r].empty()) continue;
    const std::uint64_t own = graph.starts[r + 1] - graph.starts[r];
    neighbour n{static_cast<int>(r), own, received[r][0], received[r][1], {}};
    for (std::size_t i = 2; i < received[r].size(); ++i) {
      n.wanted.push_back(static_cast<std::uint32_t>(received[r][i] - own_begin));
    }
    neighbours_.push_back(std::move(n));
  }
}

}  // namespace far::graphs
