#include "apps/graph/pagerank.hpp"

#include <algorithm>
#include <cmath>

#include "apps/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

/// 1 / outdegree of each own vertex, 0 without outgoing arcs.
std::vector<double> shares(const local_graph& graph, const ghost_exchange<double>& exchange) {
  std::vector<double> degrees(graph.own() + graph.ghosts.size(), 0.0);
  for (const std::uint32_t column : graph.columns) degrees[column] += 1;
  exchange.add_to_owners(degrees);
  degrees.resize(graph.own());
  for (double& degree : degrees) {
    if (degree > 0) degree = 1 / degree;
  }
  return degrees;
}

/// What an iteration sums over all vertices.
struct sums {
  double change = 0;
  double dangling = 0;  ///< rank of vertices without outgoing arcs
  friend sums operator+(sums a, sums b) { return {a.change + b.change, a.dangling + b.dangling}; }
};

}  // namespace

pagerank_result pagerank(world& world, const local_graph& graph, const pagerank_options& options) {
  pagerank_result result;
  if (graph.vertices == 0) return result;
  ghost_exchange<double> exchange(world, graph);
  const std::vector<double> share = shares(graph, exchange);
  const double n = static_cast<double>(graph.vertices);
  result.ranks.assign(graph.own(), 1 / n);

  const auto own_sums = [&](double change) {
    sums s{change, 0};
    for (std::size_t v = 0; v < graph.own(); ++v) {
      if (share[v] == 0) s.dangling += result.ranks[v];
    }
    return s;
  };
  sums total = allreduce(world, own_sums(1));
  const std::uint64_t start_ns = world.now();
  while (result.iterations < options.most_iterations) {
    const auto own = exchange.own();
    for (std::size_t v = 0; v < graph.own(); ++v) own[v] = result.ranks[v] * share[v];
    exchange.bring();

    const double* const values = exchange.values().data();
    const double base = (1 - options.damping) / n + options.damping * total.dangling / n;
    sums mine;
    for (std::size_t v = 0; v < graph.own(); ++v) {
      double sum = 0;
      for (std::uint64_t a = graph.offsets[v]; a < graph.offsets[v + 1]; ++a) {
        sum += values[graph.columns[a]];
      }
      const double rank = base + options.damping * sum;
      mine.change += std::abs(rank - result.ranks[v]);
      if (share[v] == 0) mine.dangling += rank;
      result.ranks[v] = rank;
    }
    total = allreduce(world, mine);  // and so nobody overwrites ghosts still being read
    result.change = total.change;
    ++result.iterations;
    if (options.on_iteration) options.on_iteration(result.iterations, result.change);
    if (result.change < options.tolerance) break;
  }
  result.seconds_per_iteration =
      static_cast<double>(world.now() - start_ns) * 1e-9 / std::max(result.iterations, 1);
  double sum = 0;
  for (const double rank : result.ranks) sum += rank;
  result.sum = allreduce(world, sum);
  return result;
}

}  // namespace far::apps
