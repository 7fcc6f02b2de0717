#pragma once
// Transfers the values of ghosts from their owners, once per iteration: each owner packs the values
// that a neighbour needs and puts them, with a signal, into the array that the neighbour reads.

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// One value of 8 bytes per own vertex and per ghost, in one array that columns index; and a second
/// such array, which is filled while the first is read.
/// Construction, bring and destruction are collective.
///
/// Invariant: between calls k and k + 1 of bring, every rank passes a collective that all ranks
/// enter only after reading the values of call k - 1. Call k + 1 overwrites those values, so no
/// value is overwritten before it is read.
template <class T>
  requires(sizeof(T) == 8)
class ghost_exchange {
 public:
  ghost_exchange(world& world, const local_graph& graph);
  ~ghost_exchange();
  ghost_exchange(const ghost_exchange&) = delete;
  ghost_exchange& operator=(const ghost_exchange&) = delete;

  /// Own vertices' values of the next round; write them before bring.
  [[nodiscard]] std::span<T> next() const { return next_.first(own_); }
  /// Own vertices' values, then the ghosts', as of the last bring.
  [[nodiscard]] std::span<const T> values() const { return values_; }

  /// Ends a round: sends the next values to all neighbours that need them, waits for those of the
  /// ghosts, and makes the next values the current ones.
  /// Cost: one put and one signal per neighbour.
  void bring();

  /// Collective: adds each rank's `values` of its ghosts to the owners' values.
  void add_to_owners(std::span<T> values) const;

 private:
  /// A rank that needs values of this one.
  struct neighbour {
    int rank;
    std::vector<std::uint32_t> wanted;  ///< own vertices
    ptr<T> place;                       ///< their destination there, in the first array
    std::vector<T> packed;
  };

  world* world_;
  std::vector<std::uint64_t> group_;  ///< [ranks + 1]: ghosts by owner
  std::vector<neighbour> neighbours_;
  std::size_t own_;
  std::uint64_t room_ = 0;  ///< capacity of one of the two arrays, equal on all ranks
  ptr<T> landing_;
  ptr<std::uint64_t> arrivals_;
  std::uint64_t expected_ = 0;  ///< total of arrivals_ after all bring calls so far
  std::uint64_t senders_ = 0;
  collective_scope scope_;
  std::int64_t next_at_ = 0;  ///< offset of next_ in landing_: 0 or room_
  std::span<T> values_, next_;
};

}  // namespace far::apps
