#pragma once
// What a program says about its vertices, so that a vertex_engine can run it. Two examples:
//
// Breadth-first search. Vertices send their number, and keep the one that comes as their parent:
//
//   struct search {
//     using value = std::uint64_t;  // the parent
//     using message = std::uint64_t;
//     using combine = far::minimum;
//     static constexpr bool takes_one = true;
//     static message send(std::uint64_t vertex) { return vertex; }
//     static bool apply(value& parent, message from, int) { return parent = from, true; }
//   };
//
//   constexpr std::uint64_t none = ~std::uint64_t{0};
//   far::vertex_engine<search> engine(world, graph, {}, none);
//   if (engine.owns(source)) engine.start(source, source);
//   engine.run();
//   ... engine.values() ...  // of own vertices
//
// PageRank without dangling vertices, 20 rounds. All vertices send in each of them:
//
//   struct pagerank {
//     struct value {
//       double rank, share;  // share: .85 / number of outgoing arcs
//     };
//     using message = double;
//     using combine = std::plus<>;
//     static constexpr bool every_vertex = true;
//     double rest;  // .15 / number of vertices
//     static message send(std::uint64_t, const value& v) { return v.rank * v.share; }
//     bool apply(value& v, message sum, int) const { return v.rank = rest + sum, true; }
//     static bool begin_round(const far::world&, int round) { return round <= 20; }
//   };
//
//   const double n = double(graph.vertices);
//   far::vertex_engine<pagerank> engine(world, graph, {.15 / n}, {1 / n, 0});
//   for (std::size_t v = 0; v < graph.own(); ++v) {
//     const auto& offsets = graph.outgoing().offsets;
//     engine.values()[v].share = .85 / double(offsets[v + 1] - offsets[v]);
//   }
//   engine.run();

#include <concepts>
#include <cstdint>
#include <utility>

#include "far/array/operators.hpp"
#include "far/world/world.hpp"

namespace far {

/// What vertices compute. In a round each active vertex sends a message along its outgoing arcs;
/// each vertex combines what arrives, and what it makes of that says whether it is active next.
///   value                           a vertex's state, at its owner
///   message                         8 bytes: double, std::int64_t or std::uint64_t
///   combine                         an operator of cached arrays; its identity is silence
///   send(vertex, const value&)      the message of an active vertex, or
///   send(vertex)                    if it depends on the vertex alone: then a bit is transferred
///                                   where a round would transfer a message
///   apply(value&, message, round)   what a vertex makes of a round's messages; whether it is
///                                   active in the next round. Rounds count from 1
/// Optional members:
///   wants(const value&)             whether a vertex takes messages; all do without it. What it
///                                   says may change by apply only
///   takes_one = true                a vertex takes one message in all: any of the first round in
///                                   which one comes. It stops looking then. Vertices that are
///                                   started take none. Excludes wants
///   along(message, weight)          what becomes of a message on an arc of this weight (1 where
///                                   the graph has none)
///   every_vertex = true             all vertices send and apply in each round, also those that no
///                                   message reaches; apply's result has no meaning. Then wants,
///                                   takes_one and send(vertex) may not be there, and begin_round
///                                   must
///   begin_round(const world&, round)  called on every rank before each round, may communicate;
///                                   false, on all ranks, ends the run
/// A program is an object: its members may be static or not, and change what it has counted. Each
/// rank has its own.
template <class P>
concept vertex_program =
    requires(P& program, typename P::value& value, typename P::message message, int round) {
      requires sizeof(typename P::message) == 8;
      requires combining_operator<typename P::combine, typename P::message>;
      { program.apply(value, message, round) } -> std::same_as<bool>;
    } &&
    (
        requires(P& program, const typename P::value& value, std::uint64_t vertex) {
          { program.send(vertex, value) } -> std::same_as<typename P::message>;
        } ||
        requires(P& program, std::uint64_t vertex) {
          { program.send(vertex) } -> std::same_as<typename P::message>;
        });

namespace graphs {

/// Which optional members a program has.
template <class P>
struct traits_of {
  static constexpr bool sends_number = requires(P& p) { p.send(std::uint64_t{}); };
  static constexpr bool has_wants = requires(P& p, const typename P::value& v) { p.wants(v); };
  static constexpr bool has_along = requires(P& p, typename P::message m) { p.along(m, 1.0); };
  static constexpr bool has_begin = requires(P& p, const world& w) { p.begin_round(w, 1); };
  static constexpr bool takes_one = requires { requires P::takes_one; };
  static constexpr bool every_vertex = requires { requires P::every_vertex; };
  static_assert(!every_vertex || (has_begin && !has_wants && !takes_one && !sends_number),
                "a program with every_vertex needs begin_round, and has no wants, no takes_one and "
                "no send(vertex)");
  static_assert(!takes_one || !has_wants, "a program with takes_one has no wants");
};

}  // namespace graphs
}  // namespace far
