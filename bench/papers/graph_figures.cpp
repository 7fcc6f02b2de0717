#include "bench/papers/graph_figures.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/graph/rmat.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

namespace names = graph_names;

constexpr int few_cores = 1;
constexpr int many_cores = 24;  // of a node of the paper
constexpr int iterations = 3;   // of PageRank: all take the same time
constexpr double damping = 0.85;

/// What a core's computing costs: far-graph took 2.8 ns an arc on one rank of a machine with 16
/// cores, for a graph of 2^20 vertices and 31 million arcs. (How that divides is assumed.)
constexpr double arc_ns = 2.5;
constexpr double vertex_ns = 8;
constexpr double ghost_ns = 2;  // to pack, or to copy from a chunk

/// Charges the computing of a round to the simulated clock.
struct charge {
  std::uint64_t round_ns;

  charge(const csr_graph& graph, int cores)
      : round_ns(static_cast<std::uint64_t>((arc_ns * static_cast<double>(graph.in.columns.size()) +
                                             vertex_ns * static_cast<double>(graph.own()) +
                                             ghost_ns * static_cast<double>(graph.ghosts.size())) /
                                            cores)) {}
};

struct charged_pagerank {
  struct value {
    double rank = 1, share = 0;
  };
  using message = double;
  using combine = std::plus<>;
  static constexpr bool every_vertex = true;

  charge costs;
  double rest;

  static message send(std::uint64_t, const value& v) { return v.rank * v.share; }
  bool apply(value& v, message sum, int) const { return v.rank = rest + sum, true; }
  bool begin_round(const far::world& world, int round) const {
    if (round > iterations) return false;
    world.compute(costs.round_ns);
    return true;
  }
};

/// Each vertex takes the smallest label of its neighbours, until none changes.
struct charged_components {
  using value = std::uint64_t;
  using message = std::uint64_t;
  using combine = minimum;
  static constexpr bool every_vertex = true;

  charge costs;
  std::uint64_t changed = 1;

  static message send(std::uint64_t, value label) { return label; }
  bool apply(value& label, message smallest, int) {
    if (smallest < label) ++changed;
    label = std::min(label, smallest);
    return true;
  }
  bool begin_round(const far::world& world, int) {
    if (allreduce(world, std::exchange(changed, 0)) == 0) return false;
    world.compute(costs.round_ns);
    return true;
  }
};

struct engine_case {
  const char* name;
  std::uint64_t chunk;  ///< 0: exchange
};
constexpr engine_case engine_cases[] = {
    {names::exchange, 0}, {names::chunks_of_512, 512}, {names::chunks_of_8192, 8192}};

/// When the first rank began and the last one ended.
struct span_of_time {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 0;

  template <class Engine>
  void run(const world& world, Engine& engine) {
    barrier(world);
    first = std::min(first, world.now());
    engine.run();
    last = std::max(last, world.now());
    barrier(world);
  }
  [[nodiscard]] double ns() const { return static_cast<double>(last - first); }
};

template <class Way>
void run_pagerank(const world& world, const csr_graph& graph, int cores, const Way& way,
                  span_of_time& time) {
  const double rest = (1 - damping) / static_cast<double>(graph.vertices);
  vertex_engine<charged_pagerank, Way> engine(world, graph, {{graph, cores}, rest}, {}, way);
  const std::vector<std::uint64_t> degrees = out_degrees(world, graph);
  for (std::size_t v = 0; v < graph.own(); ++v) {
    if (degrees[v] > 0) engine.values()[v].share = damping / static_cast<double>(degrees[v]);
  }
  time.run(world, engine);
}

template <class Way>
void run_components(const world& world, const csr_graph& graph, int cores, const Way& way,
                    span_of_time& time) {
  vertex_engine<charged_components, Way> engine(world, graph, {{graph, cores}}, {}, way);
  for (std::size_t v = 0; v < graph.own(); ++v) {
    engine.values()[v] = graph.first(world.rank()) + v;
  }
  time.run(world, engine);
}

/// A rank's share of the edges.
std::vector<arc> edges_of(const world& world, const graph_places& at) {
  const apps::rmat_settings settings{at.scale, at.edge_factor, 1};
  const apps::rmat_generator edge_at(settings);
  const auto ranks = static_cast<std::uint64_t>(world.size());
  const auto rank = static_cast<std::uint64_t>(world.rank());
  std::vector<arc> edges;
  for (std::uint64_t e = rank * settings.edges() / ranks; e < (rank + 1) * settings.edges() / ranks;
       ++e) {
    const apps::edge one = edge_at(e);
    edges.push_back({static_cast<std::uint64_t>(one.from), static_cast<std::uint64_t>(one.to)});
  }
  return edges;
}

figure empty_figure(const graph_places& at, const char* letter, const char* what, int cores) {
  figure result{fmt::format("paper-c-figure-16{}", letter),
                fmt::format("Figure 16{}: {}, {} a node; lower is better", letter, what,
                            cores == 1 ? "1 core" : fmt::format("{} cores", cores)),
                "nodes"};
  result.note = fmt::format(
      "R-MAT, 2^{} vertices, {} edges each; {} ns an arc, {} a vertex, {} a ghost, divided by the "
      "cores (assumed)",
      at.scale, at.edge_factor, arc_ns, vertex_ns, ghost_ns);
  for (const int nodes : at.nodes) result.places.push_back(std::to_string(nodes));
  for (const engine_case& one : engine_cases) result.curves.push_back({one.name, {}});
  return result;
}

/// T(1) / (n T(n)), from the first place to the last.
double efficiency(const figure& what, const char* name) {
  const std::vector<double>& ns = what.named(name).ns;
  const double times = std::stod(what.places.back()) / std::stod(what.places.front());
  return ns.front() / ns.back() / times;
}

claim reaches(const figure& what, const char* program, const char* name, double bound,
              const char* whose) {
  const double found = efficiency(what, name);
  return {fmt::format("Figure 16: T(1) / n T(n) of {}, {}, is at least {} ({})", program, name,
                      bound, whose),
          fmt::format("{:.2f} at {} nodes", found, what.places.back()), found >= bound};
}

}  // namespace

graph_places graph_places_of(std::vector<int> nodes, bool quick) {
  graph_places at;
  at.nodes = std::move(nodes);
  if (quick) at.scale = 10;
  return at;
}

std::size_t graph_jobs_of(const graph_places& at) { return 2 * at.nodes.size(); }

graph_results measure_graphs(simulated_jobs& on, const graph_places& at) {
  graph_results found;
  for (const int cores : {few_cores, many_cores}) {
    const bool few = cores == few_cores;
    found.pagerank.push_back(empty_figure(at, few ? "a" : "b", "an iteration of PageRank", cores));
    found.components.push_back(empty_figure(at, few ? "c" : "d", "connected components", cores));
  }
  for (const bool ranks_pages : {true, false}) {
    std::vector<figure>& figures = ranks_pages ? found.pagerank : found.components;
    for (const int nodes : at.nodes) {
      std::vector<std::vector<span_of_time>> times(
          figures.size(), std::vector<span_of_time>(std::size(engine_cases)));
      run_options how;
      how.ranks = nodes;
      how.ranks_per_node = 1;
      const auto what = fmt::format("{}, {} nodes", ranks_pages ? "pagerank" : "components", nodes);
      on.run(what, how, [&](world& world) {
        const graph_rules rules{.undirected = !ranks_pages, .outgoing = false};
        const csr_graph graph =
            make_graph(world, std::uint64_t{1} << at.scale, edges_of(world, at), {}, rules);
        for (std::size_t f = 0; f < figures.size(); ++f) {
          const int cores = f == 0 ? few_cores : many_cores;
          for (std::size_t e = 0; e < std::size(engine_cases); ++e) {
            const auto run = [&](const auto& way) {
              ranks_pages ? run_pagerank(world, graph, cores, way, times[f][e])
                          : run_components(world, graph, cores, way, times[f][e]);
            };
            const std::uint64_t chunk = engine_cases[e].chunk;
            chunk == 0 ? run(by_exchange()) : run(by_array{{.chunk = chunk}});
          }
        }
      });
      for (std::size_t f = 0; f < figures.size(); ++f) {
        for (std::size_t e = 0; e < std::size(engine_cases); ++e) {
          const double ns = times[f][e].ns();
          figures[f].curves[e].ns.push_back(ranks_pages ? ns / iterations : ns);
        }
      }
    }
  }
  return found;
}

std::vector<claim> graph_claims(const graph_results& found) {
  const figure& pagerank = found.pagerank.front();
  const figure& components = found.components.front();
  return {reaches(pagerank, "PageRank", names::chunks_of_8192, .55, "the paper"),
          reaches(components, "components", names::chunks_of_8192, .74, "the paper"),
          reaches(pagerank, "PageRank", names::exchange, .55, "the paper"),
          reaches(components, "components", names::exchange, .74, "the paper"),
          reaches(pagerank, "PageRank", names::exchange, .7, "libfar's goal"),
          reaches(pagerank, "PageRank", names::chunks_of_8192, .3, "libfar's goal")};
}

}  // namespace far::bench
