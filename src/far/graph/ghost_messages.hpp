#pragma once
// Messages to ghosts, combined before they are sent to the owners.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "far/array/operators.hpp"
#include "far/graph/csr_graph.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far::graphs {

/// Construction and deliver are collective.
template <class T, class Op>
class ghost_messages {
 public:
  ghost_messages(const world& world, const csr_graph& graph)
      : world_(&world), graph_(&graph), waiting_(graph.ghosts.size(), silence()) {}

  /// Adds a message to a ghost. One that equals the operator's identity says nothing.
  void send(std::size_t ghost, const T& what) {
    T& at = waiting_[ghost];
    if (at == silence()) reached_.push_back(static_cast<std::uint32_t>(ghost));
    at = Op()(at, what);
  }

  /// Sends what was added since the last call, and calls take(own vertex, message) for what comes.
  /// Cost: an alltoallv of 16 bytes for each ghost with a message.
  template <class Take>
  void deliver(Take&& take) {
    const auto& starts = graph_->starts;
    std::vector<std::size_t> to_each(starts.size() - 1, 0);
    // Ghosts of one owner come one after another mostly.
    std::size_t last = 0;
    const auto owner = [&](std::uint32_t ghost) {
      const std::uint64_t vertex = graph_->ghosts[ghost];
      if (vertex < starts[last] || vertex >= starts[last + 1]) {
        last = static_cast<std::size_t>(owner_of(starts, vertex));
      }
      return last;
    };
    for (const std::uint32_t ghost : reached_) ++to_each[owner(ghost)];
    std::vector<std::size_t> next(to_each.size(), 0);
    for (std::size_t r = 1; r < next.size(); ++r) next[r] = next[r - 1] + to_each[r - 1];
    std::vector<addressed> outgoing(reached_.size());
    for (const std::uint32_t ghost : reached_) {
      const std::size_t r = owner(ghost);
      outgoing[next[r]++] = {graph_->ghosts[ghost] - starts[r],
                             std::exchange(waiting_[ghost], silence())};
    }
    reached_.clear();
    for (const addressed& one : alltoallv(*world_, outgoing, to_each)) {
      take(static_cast<std::size_t>(one.vertex), one.what);
    }
  }

 private:
  struct addressed {
    std::uint64_t vertex;  ///< own one of the receiver
    T what;
  };

  static T silence() { return operator_identity<Op, T>::value(); }

  const world* world_;
  const csr_graph* graph_;
  std::vector<T> waiting_;              // by ghost
  std::vector<std::uint32_t> reached_;  // ghosts with a message
};

}  // namespace far::graphs
