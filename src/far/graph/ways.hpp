#pragma once
// The ways in which a vertex_engine's ranks tell each other what their vertices send.

#include "far/array/cached_array.hpp"
#include "far/graph/csr_graph.hpp"
#include "far/graph/ghost_array.hpp"
#include "far/graph/ghost_bits.hpp"
#include "far/graph/ghost_exchange.hpp"
#include "far/graph/ghost_messages.hpp"
#include "far/graph/vertex_program.hpp"
#include "far/world/world.hpp"

namespace far {

/// Owners put what others need where these read it; messages are combined, and go in lists.
/// The faster way from a few ranks on (docs/graphs.md).
struct by_exchange {
  template <class T>
  [[nodiscard]] ghost_exchange<T> values(const world& world, const csr_graph& graph) const {
    return ghost_exchange<T>(world, graph);
  }
  [[nodiscard]] graphs::ghost_bits bits(const world& world, const csr_graph& graph) const {
    return graphs::ghost_bits(world, graph);
  }
  template <class T, class Op>
  [[nodiscard]] graphs::ghost_messages<T, Op> messages(const world& world,
                                                       const csr_graph& graph) const {
    return graphs::ghost_messages<T, Op>(world, graph);
  }
};

/// Through cached arrays: owners write, others read whole chunks, messages are applied to elements.
/// Source: DArray (ICPP 2023), section 5.
struct by_array {
  cached_array_options options = {};  ///< but `begins`, which are the graph's

  template <class T>
  [[nodiscard]] graphs::ghost_array<T> values(const world& world, const csr_graph& graph) const {
    return graphs::ghost_array<T>(world, graph, options);
  }
  [[nodiscard]] graphs::ghost_array_bits bits(const world& world, const csr_graph& graph) const {
    return graphs::ghost_array_bits(world, graph, options);
  }
  template <class T, class Op>
  [[nodiscard]] graphs::array_messages<T, Op> messages(const world& world,
                                                       const csr_graph& graph) const {
    return graphs::array_messages<T, Op>(world, graph, options);
  }
};

namespace graphs {

/// What a program's pulled rounds bring.
template <class P, class Way>
auto open_ghosts(const Way& way, const world& world, const csr_graph& graph) {
  if constexpr (traits_of<P>::sends_number) {
    return way.bits(world, graph);
  } else {
    return way.template values<typename P::message>(world, graph);
  }
}

struct no_messages {};

/// What a program's pushed rounds send.
template <class P, class Way>
auto open_messages(const Way& way, const world& world, const csr_graph& graph) {
  if constexpr (traits_of<P>::every_vertex) {
    return no_messages();
  } else {
    return way.template messages<typename P::message, typename P::combine>(world, graph);
  }
}

}  // namespace graphs
}  // namespace far
