// Vertex programs in both ways, on every fabric, compared with sequential computations.

#include "far/graph/vertex_engine.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "far/base/error.hpp"
#include "far/graph/make_graph.hpp"
#include "far/graph/test_arcs.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

using graphs::testing::random_arcs;
using graphs::testing::share_of;

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

/// The example of vertex_program.hpp, with levels.
struct first_parent {
  struct value {
    std::uint64_t parent = none;
    std::uint64_t level = none;
  };
  using message = std::uint64_t;
  using combine = minimum;
  static constexpr bool takes_one = true;
  static message send(std::uint64_t vertex) { return vertex; }
  static bool apply(value& v, message from, int round) {
    v = {from, static_cast<std::uint64_t>(round)};
    return true;
  }
};

/// The smallest parent of the level before: needs all messages of a round.
struct smallest_parent {
  using value = std::uint64_t;
  using message = std::uint64_t;
  using combine = minimum;
  static message send(std::uint64_t vertex) { return vertex; }
  static bool wants(value parent) { return parent == none; }
  static bool apply(value& parent, message from, int) { return parent = from, true; }
};

/// In how many ways of `rounds` arcs a vertex is reached: each message counts exactly once.
struct ways_of_length {
  using value = std::int64_t;
  using message = std::int64_t;
  using combine = std::plus<>;
  int rounds;
  static message send(std::uint64_t, value ways) { return ways; }
  static bool apply(value& ways, message sum, int) { return ways = sum, true; }
  [[nodiscard]] bool begin_round(const world&, int round) const { return round <= rounds; }
};

/// Lengths of paths.
struct shortest {
  using value = double;
  using message = double;
  using combine = minimum;
  static message send(std::uint64_t, value length) { return length; }
  static message along(message length, double weight) { return length + weight; }
  static bool apply(value& length, message found, int) {
    return found < length && (length = found, true);
  }
};

/// All vertices, in each of a number of rounds.
struct spread {
  struct value {
    double rank = 1, share = 0;
  };
  using message = double;
  using combine = std::plus<>;
  static constexpr bool every_vertex = true;
  int applied = 0;
  static message send(std::uint64_t, const value& v) { return v.rank * v.share; }
  bool apply(value& v, message sum, int) { return ++applied, v.rank = 1 + sum, true; }
  static bool begin_round(const world&, int round) { return round <= 5; }
};

/// By vertex, from the first vertices 0 on.
std::vector<std::uint64_t> levels_of(std::uint64_t vertices, const std::vector<arc>& arcs) {
  std::vector<std::vector<std::uint64_t>> next(vertices);
  for (const arc& one : arcs) next[one.from].push_back(one.to);
  std::vector<std::uint64_t> levels(vertices, none);
  levels[0] = 0;
  for (std::deque<std::uint64_t> queue{0}; !queue.empty(); queue.pop_front()) {
    for (const std::uint64_t to : next[queue.front()]) {
      if (levels[to] != none) continue;
      levels[to] = levels[queue.front()] + 1;
      queue.push_back(to);
    }
  }
  return levels;
}

class vertex_engine_test : public test::on_ranks {
 protected:
  vertex_engine_test() {
    seeds = simulated() ? 20 : 1;
    allowed = test::run_size::any;
  }
  [[nodiscard]] bool simulated() const { return GetParam().mode == job_mode::fibers; }

  /// body(world, graph, arcs, way): sparse graphs whose rounds are pushed, and dense ones.
  void on_graphs(const auto& body, const graph_rules& rules = {}) {
    run([&](world& w) {
      for (const std::size_t degree : {1U, 3U, 20U}) {
        const std::uint64_t vertices = simulated() ? 30 : 200;
        const std::vector<arc> arcs = random_arcs(degree, vertices, degree * vertices);
        std::vector<double> weights;
        for (std::size_t i = 0; i < arcs.size(); ++i) {
          weights.push_back(1 + static_cast<double>(i * 7 % 4));
        }
        const csr_graph graph =
            make_graph(w, vertices, share_of(w, arcs), share_of(w, weights), rules);
        body(w, graph, arcs, weights, by_exchange());
        body(w, graph, arcs, weights, by_array());
        body(w, graph, arcs, weights, by_array{{.chunk = 16, .force_protocol = true}});
      }
    });
  }
};

TEST_P(vertex_engine_test, searches_as_a_queue_does) {
  on_graphs([]<class Way>(world& w, const csr_graph& graph, const std::vector<arc>& arcs,
                          const auto&, const Way& way) {
    const std::vector<std::uint64_t> levels = levels_of(graph.vertices, arcs);
    vertex_engine<first_parent, Way> engine(w, graph, {}, {}, way);
    if (engine.owns(0)) engine.start(0, {0, 0});
    std::uint64_t reached = 0;
    const engine_rounds rounds = engine.run([&](std::uint64_t active) { reached += active; });
    const auto found = allgatherv(w, engine.values());
    EXPECT_EQ(reached,
              graph.vertices - static_cast<std::uint64_t>(std::ranges::count(levels, none)));
    for (std::size_t v = 0; v < found.size(); ++v) {
      ASSERT_EQ(found[v].level, levels[v]) << v;
      if (v == 0 || levels[v] == none) continue;
      ASSERT_EQ(levels[found[v].parent] + 1, levels[v]) << v;
    }
    const std::uint64_t largest = std::ranges::max(levels, {}, [](auto l) { return l + 1; });
    EXPECT_EQ(rounds.all(), static_cast<int>(largest) + 1);

    vertex_engine<smallest_parent, Way> all(w, graph, {}, none, way);
    if (all.owns(0)) all.start(0, 0);
    all.run();
    std::vector<std::uint64_t> smallest(graph.vertices, none);
    smallest[0] = 0;
    for (const arc& one : arcs) {
      if (levels[one.from] != none && levels[one.from] + 1 == levels[one.to]) {
        smallest[one.to] = std::min(smallest[one.to], one.from);
      }
    }
    EXPECT_EQ(allgatherv(w, all.values()), smallest);
  });
}

TEST_P(vertex_engine_test, each_message_counts_once) {
  on_graphs(
      []<class Way>(world& w, const csr_graph& graph, const std::vector<arc>& arcs, const auto&,
                    const Way& way) {
        constexpr int rounds = 4;
        vertex_engine<ways_of_length, Way> engine(w, graph, {rounds}, 0, way);
        for (const std::uint64_t start : {std::uint64_t{0}, graph.vertices - 1}) {
          if (engine.owns(start)) engine.start(start, 1);
        }
        engine.run();
        // A vertex that no message reaches keeps its value, so only those of the last round count.
        std::vector<std::int64_t> ways(graph.vertices, 0), kept(graph.vertices, 0);
        ways.front() = kept.front() = ways.back() = kept.back() = 1;
        for (int round = 0; round < rounds; ++round) {
          std::vector<std::int64_t> sums(graph.vertices, 0);
          for (const arc& one : arcs) sums[one.to] += ways[one.from];
          for (std::size_t v = 0; v < sums.size(); ++v) {
            if (sums[v] != 0) kept[v] = sums[v];
          }
          ways = sums;
        }
        EXPECT_EQ(allgatherv(w, engine.values()), kept);
      },
      {.keep_duplicates = true, .keep_loops = true});
}

TEST_P(vertex_engine_test, both_ways_run_the_same_programs) {
  on_graphs([]<class Way>(world& w, const csr_graph& graph, const std::vector<arc>& arcs,
                          const std::vector<double>& weights, const Way& way) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    vertex_engine<shortest, Way> engine(w, graph, {}, infinity, way);
    if (engine.owns(0)) engine.start(0, 0);
    engine.run();
    std::vector<double> lengths(graph.vertices, infinity);
    lengths[0] = 0;
    for (std::uint64_t round = 0; round < graph.vertices; ++round) {
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        double& to = lengths[arcs[i].to];
        to = std::min(to, lengths[arcs[i].from] + weights[i]);
      }
    }
    EXPECT_EQ(allgatherv(w, engine.values()), lengths);

    vertex_engine<spread, Way> all(w, graph, {}, {}, way);
    std::vector<double> shares(graph.vertices), ranks(graph.vertices, 1);
    for (std::size_t v = 0; v < shares.size(); ++v) shares[v] = 1 / static_cast<double>(1 + v % 4);
    for (std::size_t v = 0; v < graph.own(); ++v) {
      all.values()[v].share = shares[graph.first(w.rank()) + v];
    }
    EXPECT_EQ(all.run().all(), 5);
    EXPECT_EQ(all.program().applied, static_cast<int>(5 * graph.own()));
    std::vector<arc> once = arcs;
    std::ranges::sort(once, {}, [](const arc& a) { return std::pair(a.from, a.to); });
    const auto rest = std::ranges::unique(
        once, [](const arc& a, const arc& b) { return a.from == b.from && a.to == b.to; });
    once.erase(rest.begin(), rest.end());
    for (int round = 0; round < 5; ++round) {
      std::vector<double> sums(graph.vertices, 1);
      for (const arc& one : once) {
        if (one.from != one.to) sums[one.to] += ranks[one.from] * shares[one.from];
      }
      ranks = sums;
    }
    const auto found = allgatherv(w, all.values());
    for (std::size_t v = 0; v < ranks.size(); ++v) {
      ASSERT_NEAR(found[v].rank, ranks[v], 1e-12 * ranks[v]) << v;
    }
  });
}

TEST_P(vertex_engine_test, wrong_uses_are_told) {
  seeds = 1;
  run([](world& w) {
    const std::vector<arc> arcs = random_arcs(1, 40, 80);
    const csr_graph incoming = make_graph(w, 40, share_of(w, arcs), {}, {.outgoing = false});
    EXPECT_THROW(vertex_engine<first_parent>(w, incoming), bad_argument);
    const csr_graph graph = make_graph(w, 40, share_of(w, arcs));
    vertex_engine<first_parent> engine(w, graph);
    for (const std::uint64_t vertex : {std::uint64_t{0}, std::uint64_t{39}, std::uint64_t{40}}) {
      if (engine.owns(vertex)) continue;
      EXPECT_THROW(engine.start(vertex, {}), bad_argument);
    }
    EXPECT_FALSE(engine.owns(40));
    EXPECT_EQ(engine.run().all(), 0);
    const csr_graph empty = make_graph(w, 0, {});
    EXPECT_EQ(vertex_engine<first_parent>(w, empty).run().all(), 0);
  });
}

INSTANTIATE_FAR_MODES_ON(vertex_engine_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far
