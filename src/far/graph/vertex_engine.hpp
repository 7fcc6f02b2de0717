#pragma once
// Runs a vertex_program over a distributed graph, in rounds.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "far/graph/csr_graph.hpp"
#include "far/graph/vertex_program.hpp"
#include "far/graph/ways.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far {

/// How the rounds of a computation were made.
struct engine_rounds {
  int pulled = 0;  ///< each vertex that wants messages looked at its incoming arcs
  int pushed = 0;  ///< each active vertex went along its outgoing arcs

  [[nodiscard]] int all() const noexcept { return pulled + pushed; }
};

namespace graphs {

[[noreturn]] void refuse_start(std::uint64_t vertex);
/// Errors: bad_argument, on every rank, if the graph lacks the arcs that leave its vertices.
void check_outgoing(const csr_graph& graph);

}  // namespace graphs

/// A computation in progress. Construction, run and destruction are collective.
///
/// A round is pulled if many arcs leave active vertices, else pushed: pulling takes one transfer of
/// all ghosts' messages and may stop early; pushing costs what the active vertices' arcs cost, and
/// an exchange of messages. `Way` says how ranks exchange them (ways.hpp).
/// Source: S. Beamer, K. Asanovic, D. Patterson, Direction-optimizing breadth-first search, 2012.
/// Checked by: vertex_engine_test.searches_as_a_queue_does,
/// vertex_engine_test.both_ways_run_the_same_programs
template <vertex_program P, class Way = by_exchange>
class vertex_engine {
  using traits = graphs::traits_of<P>;

 public:
  using value = typename P::value;
  using message = typename P::message;

  /// `graph` must have its outgoing arcs unless the program has every_vertex, and outlive the
  /// engine. All vertices have the value `initial`.
  /// Errors: out_of_memory; bad_argument without these arcs.
  /// Checked by: vertex_engine_test.wrong_uses_are_told
  vertex_engine(const world& world, const csr_graph& graph, P program = {},
                const value& initial = {}, const Way& way = {})
      : world_(&world),
        graph_(&graph),
        first_(graph.first(world.rank())),
        arcs_(allreduce(world, std::uint64_t{graph.in.columns.size()})),
        program_(std::move(program)),
        values_(graph.own(), initial),
        active_bits_(words_of(graph.own())),
        wanting_(has_wanting ? words_of(graph.own()) : 0),
        reached_(traits::takes_one ? words_of(graph.own() + graph.ghosts.size()) : 0),
        inbox_(has_inbox ? graph.own() : 0, silence()),
        ghosts_(graphs::open_ghosts<P>(way, world, graph)),
        to_ghosts_(graphs::open_messages<P>(way, world, graph)) {
    if constexpr (!traits::every_vertex) graphs::check_outgoing(graph);
  }

  [[nodiscard]] P& program() noexcept { return program_; }
  /// Of own vertices; to be changed before run only.
  [[nodiscard]] std::span<value> values() noexcept { return values_; }
  [[nodiscard]] bool owns(std::uint64_t vertex) const noexcept {
    return vertex - first_ < values_.size();
  }
  /// An own vertex, by its number in the whole graph, gets a value and is active in round 1.
  /// Errors: bad_argument for another rank's vertex.
  void start(std::uint64_t vertex, const value& its) {
    if (!owns(vertex)) graphs::refuse_start(vertex);
    values_[vertex - first_] = its;
    activate(static_cast<std::uint32_t>(vertex - first_));
  }

  /// Makes rounds until no vertex of any rank is active, or the program ends it. `on_round(active)`
  /// is called on every rank before each, with the number of active vertices of all.
  /// Errors: rank_failed.
  template <class OnRound>
  engine_rounds run(OnRound on_round) {
    engine_rounds rounds;
    note_wanting();
    if constexpr (traits::every_vertex) fill_next();
    for (;;) {
      const load all = allreduce(*world_, own_load());  // also keeps ghost_exchange's invariant
      if (all.vertices == 0) return rounds;
      const int round = rounds.all() + 1;
      if constexpr (traits::has_begin) {
        if (!program_.begin_round(*world_, round)) return rounds;
      }
      on_round(all.vertices);
      if constexpr (traits::every_vertex) {
        ++rounds.pulled;
        pull_all(round);
      } else if (all.arcs * arcs_per_active_arc > arcs_) {
        ++rounds.pulled;
        pull(round);
      } else {
        ++rounds.pushed;
        push(round);
      }
    }
  }
  engine_rounds run() {
    return run([](std::uint64_t) {});
  }

 private:
  /// Pulling looks at arcs one after the other, and stops early; pushing jumps in memory. GAPBS
  /// pulls from the same ratio on.
  static constexpr std::uint64_t arcs_per_active_arc = 15;
  static constexpr bool has_wanting = traits::has_wants || traits::takes_one;
  static constexpr bool has_inbox = !traits::takes_one && !traits::every_vertex;
  using combine = typename P::combine;
  using words = std::vector<std::uint64_t>;

  struct load {
    std::uint64_t vertices = 0;
    std::uint64_t arcs = 0;
    friend load operator+(load a, load b) { return {a.vertices + b.vertices, a.arcs + b.arcs}; }
  };
  using ghosts_channel = decltype(graphs::open_ghosts<P>(
      std::declval<const Way&>(), std::declval<const world&>(), std::declval<const csr_graph&>()));
  using messages_channel = decltype(graphs::open_messages<P>(
      std::declval<const Way&>(), std::declval<const world&>(), std::declval<const csr_graph&>()));

  static std::size_t words_of(std::size_t bits) { return (bits + 63) / 64; }
  static message silence() { return operator_identity<combine, message>::value(); }

  static bool has_bit(const words& bits, std::size_t at) {
    return (bits[at / 64] >> at % 64 & 1) != 0;
  }
  static void set_bit(words& bits, std::size_t at, bool to = true) {
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
    bits[at / 64] = to ? bits[at / 64] | bit : bits[at / 64] & ~bit;
  }
  [[nodiscard]] bool wants(std::size_t own) const {
    if constexpr (has_wanting) return has_bit(wanting_, own);
    return true;
  }
  [[nodiscard]] message sent_by(std::size_t own) {
    if constexpr (traits::sends_number) {
      return program_.send(first_ + own);
    } else {
      return program_.send(first_ + own, std::as_const(values_[own]));
    }
  }
  [[nodiscard]] message along(message m, const adjacency& arcs, std::uint64_t arc) {
    if constexpr (traits::has_along) {
      return program_.along(m, arcs.weights.empty() ? 1.0 : arcs.weights[arc]);
    } else {
      return m;
    }
  }
  /// Whether a column has sent in the round that was brought last.
  [[nodiscard]] bool has_sent(std::uint32_t column) const {
    if constexpr (traits::sends_number) {
      return ghosts_[column];
    } else {
      return ghosts_.values()[column] != silence();
    }
  }
  /// What it has sent.
  [[nodiscard]] message received(std::uint32_t column) {
    if constexpr (traits::sends_number) {
      const std::size_t own = values_.size();
      return program_.send(column < own ? first_ + column : graph_->ghosts[column - own]);
    } else {
      return ghosts_.values()[column];
    }
  }

  [[nodiscard]] load own_load() const {
    if constexpr (traits::every_vertex) return {values_.size(), graph_->in.columns.size()};
    return {active_.size(), active_arcs_};
  }
  /// Before the first round.
  void note_wanting() {
    if constexpr (traits::takes_one) {
      for (std::size_t w = 0; w < wanting_.size(); ++w) wanting_[w] = ~active_bits_[w];
      if (values_.size() % 64 != 0)
        wanting_.back() &= (std::uint64_t{1} << values_.size() % 64) - 1;
    } else if constexpr (traits::has_wants) {
      for (std::size_t v = 0; v < values_.size(); ++v) note_wanting(v);
    }
  }
  void note_wanting(std::size_t own) {
    if constexpr (traits::takes_one) {
      set_bit(wanting_, own, false);
    } else if constexpr (traits::has_wants) {
      set_bit(wanting_, own, program_.wants(std::as_const(values_[own])));
    }
  }
  void activate(std::uint32_t own) {
    if (has_bit(active_bits_, own)) return;
    set_bit(active_bits_, own);
    active_.push_back(own);
    const std::vector<std::uint64_t>& offsets = graph_->outgoing().offsets;
    active_arcs_ += offsets[own + 1] - offsets[own];
  }
  /// Ends the activity of all, and returns who was active.
  std::vector<std::uint32_t> end_activity() {
    for (const std::uint32_t v : active_) active_bits_[v / 64] = 0;
    active_arcs_ = 0;
    return std::exchange(active_, {});
  }
  void take(std::size_t own, message m, int round) {
    const bool is_active = program_.apply(values_[own], m, round);
    note_wanting(own);
    if (is_active) activate(static_cast<std::uint32_t>(own));
  }

  void pull(int round) {
    if constexpr (traits::sends_number) {
      ghosts_.bring(active_bits_);
      (void)end_activity();
    } else {
      const auto next = ghosts_.next();
      std::ranges::fill(next, silence());
      for (const std::uint32_t v : end_activity()) next[v] = sent_by(v);
      ghosts_.bring();
    }
    if constexpr (traits::takes_one) {
      take_one_each(round);
    } else if constexpr (traits::has_wants) {
      for_each_wanting([&](std::size_t v) { look_around(v, round); });
    } else {
      for (std::size_t v = 0; v < values_.size(); ++v) look_around(v, round);
    }
  }
  template <class Visit>
  void for_each_wanting(Visit&& visit) {
    for (std::size_t w = 0; w < wanting_.size(); ++w) {
      for (std::uint64_t rest = wanting_[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }
  void look_around(std::size_t v, int round) {
    const adjacency& arcs = graph_->in;
    const std::uint64_t end = arcs.offsets[v + 1];
    message all = silence();
    for (std::uint64_t a = arcs.offsets[v]; a < end; ++a) {
      const std::uint32_t column = arcs.columns[a];
      if (has_sent(column)) all = combine()(all, along(received(column), arcs, a));
    }
    if (all != silence()) take(v, all, round);
  }
  /// Finds arcs for many vertices first, and then takes their messages, so that the processor looks
  /// up the numbers of many ghosts at a time.
  void take_one_each(int round) {
    const adjacency& arcs = graph_->in;
    struct found {
      std::uint32_t vertex;
      std::uint32_t column;
      std::uint64_t arc;
    };
    std::array<found, 512> some;
    std::size_t count = 0;
    const auto take_some = [&] {
      for (const found& one : std::span(some).first(count)) {
        take(one.vertex, along(received(one.column), arcs, one.arc), round);
      }
      count = 0;
    };
    for_each_wanting([&](std::size_t v) {
      const std::uint64_t end = arcs.offsets[v + 1];
      for (std::uint64_t a = arcs.offsets[v]; a < end; ++a) {
        const std::uint32_t column = arcs.columns[a];
        if (!has_sent(column)) continue;
        some[count++] = {static_cast<std::uint32_t>(v), column, a};
        if (count == some.size()) take_some();
        break;
      }
    });
    take_some();
    if constexpr (traits::sends_number) {  // what was active has been reached
      for (std::size_t w = 0; w < reached_.size(); ++w) reached_[w] |= ghosts_.words()[w];
    }
  }

  void push(int round) {
    const adjacency& arcs = graph_->outgoing();
    std::vector<std::uint32_t> reached;  // own vertices with a message
    const auto deliver = [&](std::size_t own, message m) {
      if (!wants(own)) return;
      if constexpr (traits::takes_one) return take(own, m, round);
      message& at = inbox_[own];
      if (at == silence()) reached.push_back(static_cast<std::uint32_t>(own));
      at = combine()(at, m);
    };
    for (const std::uint32_t v : end_activity()) {
      const message m = sent_by(v);
      for (std::uint64_t a = arcs.offsets[v]; a < arcs.offsets[v + 1]; ++a) {
        const std::uint32_t column = arcs.columns[a];
        if (column < values_.size()) {
          deliver(column, along(m, arcs, a));
        } else if (!is_reached(column)) {
          to_ghosts_.send(column - values_.size(), along(m, arcs, a));
        }
      }
    }
    to_ghosts_.deliver(deliver);
    for (const std::uint32_t v : reached) take(v, std::exchange(inbox_[v], silence()), round);
  }

  /// Whether a ghost is known to take no more messages. If not, the caller sends it one.
  [[nodiscard]] bool is_reached([[maybe_unused]] std::uint32_t ghost) {
    if constexpr (traits::takes_one) {
      if (has_bit(reached_, ghost)) return true;
      set_bit(reached_, ghost);
    }
    return false;
  }

  void fill_next() {
    const auto next = ghosts_.next();
    for (std::size_t v = 0; v < values_.size(); ++v) next[v] = sent_by(v);
  }
  void pull_all(int round) {
    ghosts_.bring();
    const adjacency& arcs = graph_->in;
    const std::span<const message> sent = ghosts_.values();
    const std::span<message> next = ghosts_.next();
    for (std::size_t v = 0; v < values_.size(); ++v) {
      const std::uint64_t end = arcs.offsets[v + 1];
      message all = silence();
      for (std::uint64_t a = arcs.offsets[v]; a < end; ++a) {
        all = combine()(all, along(sent[arcs.columns[a]], arcs, a));
      }
      (void)program_.apply(values_[v], all, round);
      next[v] = sent_by(v);
    }
  }

  const world* world_;
  const csr_graph* graph_;
  std::uint64_t first_;  // own vertex
  std::uint64_t arcs_;   // of the whole graph
  P program_;
  std::vector<value> values_;
  std::vector<std::uint32_t> active_;  // own vertices
  std::uint64_t active_arcs_ = 0;      // that leave them
  words active_bits_;                  // of own vertices
  words wanting_;                      // own vertices that take messages, if not all do
  words reached_;                      // ghosts that take no more, of takes_one; by column
  std::vector<message> inbox_;         // of own vertices, of a push; silence between rounds
  ghosts_channel ghosts_;
  messages_channel to_ghosts_;
};

}  // namespace far
