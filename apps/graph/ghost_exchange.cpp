#include "apps/graph/ghost_exchange.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "apps/graph/exchange_lists.hpp"

namespace far::apps {

template <class T>
  requires(sizeof(T) == 8)
ghost_exchange<T>::ghost_exchange(world& world, const local_graph& graph)
    : world_(&world), own_(graph.own()) {
  const auto size = static_cast<std::size_t>(world.size());
  std::vector<std::vector<std::uint64_t>> wishes(size);
  for (std::size_t r = 0; r <= size; ++r) {
    const auto place = std::lower_bound(graph.ghosts.begin(), graph.ghosts.end(), graph.starts[r]);
    group_.push_back(static_cast<std::uint64_t>(place - graph.ghosts.begin()));
  }
  const std::uint64_t entries = own_ + graph.ghosts.size();
  room_ = allreduce(world, entries, [](auto a, auto b) { return std::max(a, b); });
  landing_ = allocate<T>(world, 2 * room_);
  arrivals_ = allocate<std::uint64_t>(world);
  next_ = local_span(world, landing_, entries);
  values_ = local_span(world, landing_ + static_cast<std::int64_t>(room_), entries);

  // A request: the place of the values in this rank's landing array, then the vertices.
  for (std::size_t r = 0; r < size; ++r) {
    if (group_[r] == group_[r + 1]) continue;
    ++senders_;
    wishes[r].push_back(own_ + group_[r]);
    wishes[r].insert(wishes[r].end(), graph.ghosts.begin() + static_cast<std::ptrdiff_t>(group_[r]),
                     graph.ghosts.begin() + static_cast<std::ptrdiff_t>(group_[r + 1]));
  }
  const auto received = exchange_lists(world, wishes);
  const std::uint64_t first = graph.first(world.rank());
  for (std::size_t r = 0; r < size; ++r) {
    if (received[r].empty()) continue;
    neighbour n{static_cast<int>(r), {}, {}, {}};
    n.place = landing_.on(n.rank) + static_cast<std::int64_t>(received[r].front());
    for (std::size_t i = 1; i < received[r].size(); ++i) {
      n.wanted.push_back(static_cast<std::uint32_t>(received[r][i] - first));
    }
    n.packed.resize(n.wanted.size());
    neighbours_.push_back(std::move(n));
  }
}

template <class T>
  requires(sizeof(T) == 8)
ghost_exchange<T>::~ghost_exchange() {
  scope_.leave(*world_);
  try {
    deallocate(*world_, arrivals_);
    deallocate(*world_, landing_);
  } catch (const std::exception&) {
    // The job has failed: its memory is freed with it.
  }
}

template <class T>
  requires(sizeof(T) == 8)
void ghost_exchange<T>::bring() {
  std::vector<future<void>> puts;
  for (neighbour& n : neighbours_) {
    for (std::size_t i = 0; i < n.wanted.size(); ++i) n.packed[i] = next_[n.wanted[i]];
    puts.push_back(put_async(*world_, n.place + next_at_, n.packed,
                             signal_of(arrivals_.on(n.rank), 1, signal::kind::add)));
  }
  expected_ += senders_;
  wait_signal(*world_, arrivals_, at_least{expected_});
  for (auto& put : puts) put.wait();
  std::swap(values_, next_);
  next_at_ = static_cast<std::int64_t>(room_) - next_at_;
}

template <class T>
  requires(sizeof(T) == 8)
void ghost_exchange<T>::add_to_owners(std::span<T> values) const {
  std::vector<std::vector<T>> outgoing(group_.size() - 1);
  for (std::size_t r = 0; r < outgoing.size(); ++r) {
    const auto ghosts = values.subspan(own_ + group_[r], group_[r + 1] - group_[r]);
    outgoing[r].assign(ghosts.begin(), ghosts.end());
  }
  const auto received = exchange_lists(*world_, outgoing);
  for (const neighbour& n : neighbours_) {
    const auto& sums = received[static_cast<std::size_t>(n.rank)];
    for (std::size_t i = 0; i < sums.size(); ++i) values[n.wanted[i]] += sums[i];
  }
}

template class ghost_exchange<double>;
template class ghost_exchange<std::uint64_t>;

}  // namespace far::apps
