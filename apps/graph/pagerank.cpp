#include "apps/graph/pagerank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "apps/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

/// 1 / outdegree of each own vertex; 0 if it has no outgoing arcs.
std::vector<double> shares(const local_graph& graph, const ghost_exchange<double>& exchange) {
  std::vector<double> degrees(graph.own() + graph.ghosts.size(), 0.0);
  for (const std::uint32_t column : graph.in.columns) degrees[column] += 1;
  exchange.add_to_owners(degrees);
  degrees.resize(graph.own());
  for (double& degree : degrees) {
    if (degree > 0) degree = 1 / degree;
  }
  return degrees;
}

/// The sums of an iteration over all vertices.
struct sums {
  double change = 0;
  double dangling = 0;  ///< rank of vertices without outgoing arcs
  friend sums operator+(sums a, sums b) { return {a.change + b.change, a.dangling + b.dangling}; }
};

/// One iteration over own vertices: computes new ranks, and from them the next values.
sums iterate(const local_graph& graph, std::span<const double> values,
             std::span<const double> share, double base, double damping, std::span<double> ranks,
             std::span<double> next) {
  // Sum in blocks: a single sum of a hundred million small terms would lose too many digits.
  constexpr std::size_t block = 4096;
  const std::uint32_t* const columns = graph.in.columns.data();
  sums all;
  for (std::size_t begin = 0; begin < ranks.size(); begin += block) {
    sums part;
    for (std::size_t v = begin; v < std::min(begin + block, ranks.size()); ++v) {
      double sum = 0;
      const std::uint64_t end = graph.in.offsets[v + 1];
      for (std::uint64_t a = graph.in.offsets[v]; a < end; ++a) sum += values[columns[a]];
      const double rank = base + damping * sum;
      part.change += std::abs(rank - ranks[v]);
      part.dangling += share[v] == 0 ? rank : 0;
      ranks[v] = rank;
      next[v] = rank * share[v];
    }
    all = all + part;
  }
  return all;
}

}  // namespace

pagerank_result pagerank(world& world, const local_graph& graph, const pagerank_options& options) {
  pagerank_result result;
  if (graph.vertices == 0) return result;
  ghost_exchange<double> exchange(world, graph);
  const std::vector<double> share = shares(graph, exchange);
  const double n = static_cast<double>(graph.vertices);
  result.ranks.assign(graph.own(), 1 / n);
  for (std::size_t v = 0; v < graph.own(); ++v) exchange.next()[v] = share[v] / n;
  const auto dangling = static_cast<double>(std::count(share.begin(), share.end(), 0.0));
  sums total = allreduce(world, sums{1, dangling / n});
  const std::uint64_t start_ns = world.now();
  while (result.iterations < options.max_iterations) {
    exchange.bring();
    const double base = (1 - options.damping) / n + options.damping * total.dangling / n;
    const sums mine = iterate(graph, exchange.values(), share, base, options.damping, result.ranks,
                              exchange.next());
    total = allreduce(world, mine);  // also keeps ghost_exchange's invariant
    result.change = total.change;
    ++result.iterations;
    if (options.on_iteration) options.on_iteration(result.iterations, result.change);
    if (result.change < options.tolerance) break;
  }
  // A tolerance of 0 requests all iterations; no change can be below it.
  result.converged =
      result.iterations > 0 && (result.change < options.tolerance || result.change == 0);
  result.seconds_per_iteration =
      static_cast<double>(world.now() - start_ns) * 1e-9 / std::max(result.iterations, 1);
  const auto sum = std::accumulate(result.ranks.begin(), result.ranks.end(), 0.0L);
  result.sum = allreduce(world, static_cast<double>(sum));
  return result;
}

}  // namespace far::apps
