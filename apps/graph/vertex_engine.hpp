#pragma once
// Runs computations of vertices over a distributed graph, in rounds.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "apps/graph/build.hpp"
#include "apps/graph/exchange_lists.hpp"
#include "apps/graph/ghost_exchange.hpp"
#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// What vertices compute. In a round each active vertex sends a message along its outgoing arcs;
/// each vertex combines what arrives, and what it makes of that says whether it is active next.
///
///     struct hops {                      // how many arcs away from the first active vertex
///       using value = std::uint64_t;     // of a vertex
///       using message = std::uint64_t;   // 8 bytes
///       using combine = far::minimum;    // an operator of cached arrays; its identity is silence
///       static message send(std::uint64_t, value v) { return v + 1; }
///       static bool apply(value& v, message m, int) { return m < v && (v = m, true); }
///     };
///
/// Optional members:
///   static bool wants(const value&)        whether a vertex takes messages; all do without it
///   static constexpr bool takes_any = true one message is as good as all of a round, so a vertex
///                                          stops looking for more
///   static message along(message, double)  what becomes of a message on an arc of this weight (1
///                                          where the graph has none)
template <class P>
concept vertex_program =
    requires(typename P::value& value, std::uint64_t vertex, int round, typename P::message m) {
      requires sizeof(typename P::message) == 8;
      requires combining_operator<typename P::combine, typename P::message>;
      { P::send(vertex, std::as_const(value)) } -> std::same_as<typename P::message>;
      { P::apply(value, m, round) } -> std::same_as<bool>;
    };

/// How the rounds of a computation were made.
struct engine_rounds {
  int pulled = 0;  ///< each vertex that wants messages looked at its incoming arcs
  int pushed = 0;  ///< each active vertex went along its outgoing arcs

  [[nodiscard]] int all() const noexcept { return pulled + pushed; }
};

/// A computation in progress. Construction, run and destruction are collective.
///
/// A round is pulled if many arcs leave active vertices, else pushed: pulling takes one transfer of
/// all ghosts' messages and may stop early; pushing costs what the active vertices' arcs cost, and
/// an exchange of lists.
/// Source: S. Beamer, K. Asanovic, D. Patterson, Direction-optimizing breadth-first search, 2012.
/// Checked by: distributed_traversal_test.equals_the_oracle
template <vertex_program P>
class vertex_engine {
 public:
  using value = typename P::value;
  using message = typename P::message;

  /// `graph` must have its outgoing arcs, and outlive the engine.
  vertex_engine(world& world, const local_graph& graph, const value& initial)
      : world_(&world),
        graph_(&graph),
        exchange_(world, graph),
        values_(graph.own(), initial),
        is_active_(graph.own()),
        inbox_(graph.own() + graph.ghosts.size(), silence()),
        arcs_(allreduce(world, std::uint64_t{graph.in.columns.size()})) {}

  /// Of own vertices.
  [[nodiscard]] std::span<value> values() noexcept { return values_; }
  /// An own vertex sends in the next round.
  void activate(std::size_t own) {
    if (std::exchange(is_active_[own], true)) return;
    active_.push_back(static_cast<std::uint32_t>(own));
  }

  /// Makes rounds until no vertex of any rank is active. `on_round(active)` is called on every rank
  /// before each, with the number of active vertices of all.
  template <class OnRound>
  engine_rounds run(OnRound on_round) {
    engine_rounds rounds;
    for (;;) {
      const load all = allreduce(*world_, own_load());  // also keeps ghost_exchange's invariant
      if (all.vertices == 0) return rounds;
      on_round(all.vertices);
      if (all.arcs * arcs_per_active_arc > arcs_) {
        ++rounds.pulled;
        pull(rounds.all());
      } else {
        ++rounds.pushed;
        push(rounds.all());
      }
    }
  }

 private:
  /// Pulling looks at arcs one after the other, and stops early; pushing jumps in memory. GAPBS
  /// pulls from the same ratio on.
  static constexpr std::uint64_t arcs_per_active_arc = 15;
  static constexpr bool takes_any = requires { requires P::takes_any; };

  struct load {
    std::uint64_t vertices = 0;
    std::uint64_t arcs = 0;
    friend load operator+(load a, load b) { return {a.vertices + b.vertices, a.arcs + b.arcs}; }
  };
  struct addressed {
    std::uint64_t vertex;  ///< in the whole graph
    message what;
  };

  static message silence() { return operator_identity<typename P::combine, message>::value(); }
  static bool wants(const value& of) {
    if constexpr (requires { P::wants(of); }) return P::wants(of);
    return true;
  }
  static message along(message m, const adjacency& arcs, std::uint64_t arc) {
    if constexpr (requires { P::along(m, 1.0); }) {
      return P::along(m, arcs.weights.empty() ? 1.0 : arcs.weights[arc]);
    } else {
      return m;
    }
  }
  [[nodiscard]] std::uint64_t number(std::size_t own) const {
    return graph_->first(world_->rank()) + own;
  }
  [[nodiscard]] message sent_by(std::size_t own) const {
    return P::send(number(own), values_[own]);
  }
  [[nodiscard]] load own_load() const {
    const adjacency& arcs = graph_->outgoing();
    load mine{active_.size(), 0};
    for (const std::uint32_t v : active_) mine.arcs += arcs.offsets[v + 1] - arcs.offsets[v];
    return mine;
  }
  void take(std::size_t own, message m, int round) {
    if (P::apply(values_[own], m, round)) activate(own);
  }
  /// Ends the activity of all, and returns who was active.
  std::vector<std::uint32_t> end_activity() {
    for (const std::uint32_t v : active_) is_active_[v] = false;
    return std::exchange(active_, {});
  }

  void pull(int round) {
    std::ranges::fill(exchange_.next(), silence());
    for (const std::uint32_t v : active_) exchange_.next()[v] = sent_by(v);
    exchange_.bring();
    (void)end_activity();
    const adjacency& arcs = graph_->in;
    const std::span<const message> sent = exchange_.values();
    for (std::size_t v = 0; v < graph_->own(); ++v) {
      if (!wants(values_[v])) continue;
      message all = silence();
      for (std::uint64_t a = arcs.offsets[v]; a < arcs.offsets[v + 1]; ++a) {
        const message m = sent[arcs.columns[a]];
        if (m == silence()) continue;
        all = typename P::combine()(all, along(m, arcs, a));
        if constexpr (takes_any) break;
      }
      if (all != silence()) take(v, all, round);
    }
  }

  void push(int round) {
    const adjacency& arcs = graph_->outgoing();
    std::vector<std::uint32_t> reached;  // columns with a message
    const auto deliver = [&](std::uint32_t column, message m) {
      message& at = inbox_[column];
      if (at == silence()) reached.push_back(column);
      at = typename P::combine()(at, m);
    };
    for (const std::uint32_t v : end_activity()) {
      const message m = sent_by(v);
      for (std::uint64_t a = arcs.offsets[v]; a < arcs.offsets[v + 1]; ++a) {
        const std::uint32_t column = arcs.columns[a];
        if (column < graph_->own() && !wants(values_[column])) continue;
        deliver(column, along(m, arcs, a));
      }
    }
    std::vector<std::vector<addressed>> outgoing(graph_->starts.size() - 1);
    std::erase_if(reached, [&](std::uint32_t column) {
      if (column < graph_->own()) return false;
      const std::uint64_t vertex = graph_->ghosts[column - graph_->own()];
      outgoing[static_cast<std::size_t>(owner_of(graph_->starts, vertex))].push_back(
          {vertex, std::exchange(inbox_[column], silence())});
      return true;
    });
    for (const auto& list : exchange_lists(*world_, outgoing)) {
      for (const addressed& one : list) {
        deliver(static_cast<std::uint32_t>(one.vertex - number(0)), one.what);
      }
    }
    for (const std::uint32_t v : reached) {
      const message m = std::exchange(inbox_[v], silence());
      if (wants(values_[v])) take(v, m, round);
    }
  }

  world* world_;
  const local_graph* graph_;
  ghost_exchange<message> exchange_;
  std::vector<value> values_;
  std::vector<char> is_active_;
  std::vector<std::uint32_t> active_;  // own vertices
  std::vector<message> inbox_;         // by column, of a push; silence between rounds
  std::uint64_t arcs_;                 // of the whole graph
};

}  // namespace far::apps
