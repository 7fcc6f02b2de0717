#include "far/graph/ghost_exchange.hpp"

#include "far/graph/exchange_lists.hpp"

namespace far {

template <class T>
  requires(sizeof(T) == 8)
ghost_exchange<T>::ghost_exchange(const world& world, const csr_graph& graph)
    : world_(&world),
      own_(graph.own()),
      routes_(world, graph),
      landing_(world, own_ + graph.ghosts.size(), routes_.owners()) {
  for (const auto& n : routes_.neighbours()) packed_.emplace_back(n.wanted.size());
}

template <class T>
  requires(sizeof(T) == 8)
void ghost_exchange<T>::bring() {
  const std::span<const T> own = next();
  auto packed = packed_.begin();
  for (const auto& n : routes_.neighbours()) {
    for (std::size_t i = 0; i < n.wanted.size(); ++i) (*packed)[i] = own[n.wanted[i]];
    landing_.send(n.rank, n.own + n.group, *packed++);
  }
  landing_.turn();
}

template <class T>
  requires(sizeof(T) == 8)
void ghost_exchange<T>::add_to_owners(std::span<T> values) const {
  std::vector<std::vector<T>> outgoing(routes_.ranks());
  for (std::size_t r = 0; r < outgoing.size(); ++r) {
    const auto ghosts =
        values.subspan(own_ + routes_.group(r), routes_.group(r + 1) - routes_.group(r));
    outgoing[r].assign(ghosts.begin(), ghosts.end());
  }
  const auto received = exchange_lists(*world_, outgoing);
  for (const auto& n : routes_.neighbours()) {
    const auto& sums = received[static_cast<std::size_t>(n.rank)];
    for (std::size_t i = 0; i < sums.size(); ++i) values[n.wanted[i]] += sums[i];
  }
}

template class ghost_exchange<double>;
template class ghost_exchange<std::int64_t>;
template class ghost_exchange<std::uint64_t>;

}  // namespace far
