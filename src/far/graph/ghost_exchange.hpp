#pragma once
// Transfers the values of ghosts from their owners, once per round: each owner packs the values
// that a neighbour needs and puts them, with a signal, into the array that the neighbour reads.

#include <cstdint>
#include <span>
#include <vector>

#include "far/graph/csr_graph.hpp"
#include "far/graph/ghost_routes.hpp"
#include "far/graph/landing.hpp"
#include "far/world/world.hpp"

namespace far {

/// One value of 8 bytes per own vertex and per ghost, in one array that columns index; and a second
/// such array, which is filled while the first is read.
/// Construction, bring and destruction are collective.
///
/// Invariant: between calls k and k + 1 of bring, every rank passes a collective that all ranks
/// enter only after reading the values of call k - 1. Call k + 1 overwrites those values, so no
/// value is overwritten before it is read.
/// Errors: out_of_memory; rank_failed where it waits.
/// Checked by: ghosts_test.values_come_from_their_owners
template <class T>
  requires(sizeof(T) == 8)
class ghost_exchange {
 public:
  ghost_exchange(const world& world, const csr_graph& graph);

  /// Own vertices' values of the next round; write them before bring.
  [[nodiscard]] std::span<T> next() const noexcept {
    return landing_.next().first(static_cast<std::size_t>(own_));
  }
  /// Own vertices' values, then the ghosts', as of the last bring.
  [[nodiscard]] std::span<const T> values() const noexcept { return landing_.current(); }

  /// Ends a round. Sends own vertices' next values to the ranks that need them, and waits for the
  /// values of the ghosts. Then the next values are the current ones.
  /// Cost: one put and one signal per neighbour.
  void bring();

  /// Collective: adds each rank's `values` of its ghosts to the owners' values.
  void add_to_owners(std::span<T> values) const;

 private:
  const world* world_;
  std::uint64_t own_;
  graphs::ghost_routes routes_;
  graphs::landing<T> landing_;
  std::vector<std::vector<T>> packed_;  // for each neighbour
};

}  // namespace far
