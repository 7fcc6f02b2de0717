#pragma once
// Brings the values of ghosts from their owners, once per iteration: each owner packs what a
// neighbour wants and puts it, with a signal, to where the neighbour reads it.

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// One value of 8 bytes per own vertex and per ghost, in one array that columns index; and a second
/// such array, which is filled while the first is read.
/// Collective in construction, bring and destruction.
///
/// Invariant: between two calls of bring every rank passes a collective that all ranks enter after
/// reading what the one before the first has brought; so no value is overwritten before it was
/// read.
template <class T>
  requires(sizeof(T) == 8)
class ghost_exchange {
 public:
  ghost_exchange(world& world, const local_graph& graph);
  ~ghost_exchange();
  ghost_exchange(const ghost_exchange&) = delete;
  ghost_exchange& operator=(const ghost_exchange&) = delete;

  /// Own vertices' values of the next round: to be written before bring.
  [[nodiscard]] std::span<T> next() const { return next_.first(own_); }
  /// Own vertices' values, then the ghosts', as of the last bring.
  [[nodiscard]] std::span<const T> values() const { return values_; }

  /// Ends a round: sends the next values to all that want them, waits for those of the ghosts, and
  /// makes them the values.
  /// Cost: one put and one signal per neighbour.
  void bring();

  /// Collective: adds what each rank has in `values` for its ghosts to the owners' values.
  void add_to_owners(std::span<T> values) const;

 private:
  /// A rank that wants values of this one.
  struct neighbour {
    int rank;
    std::vector<std::uint32_t> wanted;  ///< own vertices
    ptr<T> place;                       ///< where they go there, in the first array
    std::vector<T> packed;
  };

  world* world_;
  std::vector<std::uint64_t> group_;  ///< [ranks + 1]: ghosts by owner
  std::vector<neighbour> neighbours_;
  std::size_t own_;
  std::uint64_t room_ = 0;  ///< of one of the two arrays, on any rank
  ptr<T> landing_;
  ptr<std::uint64_t> arrivals_;
  std::uint64_t expected_ = 0;  ///< arrivals by the end of the next bring
  std::uint64_t senders_ = 0;
  collective_scope scope_;
  std::int64_t next_at_ = 0;  ///< offset of next_ in landing_: 0 or room_
  std::span<T> values_, next_;
};

}  // namespace far::apps
