#include "apps/graph/pagerank.hpp"

#include <algorithm>
#include <cmath>
#include <span>

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

/// The values at the columns of a row, summed up. Four sums, because an addition takes longer than
/// the next load, and rows of hubs are long; the order depends on the row alone.
double sum_of_row(const double* values, const std::uint32_t* at, const std::uint32_t* end) {
  double a = 0, b = 0, c = 0, d = 0;
  for (; end - at >= 4; at += 4) {
    a += values[at[0]];
    b += values[at[1]];
    c += values[at[2]];
    d += values[at[3]];
  }
  for (; at != end; ++at) a += values[*at];
  return (a + b) + (c + d);
}

/// One iteration over own vertices: new ranks, and from them the next values.
sums iterate(const local_graph& graph, std::span<const double> values,
             std::span<const double> share, double base, double damping, std::span<double> ranks,
             std::span<double> next) {
  const std::uint32_t* const columns = graph.columns.data();
  sums mine;
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    const double rank = base + damping * sum_of_row(values.data(), columns + graph.offsets[v],
                                                    columns + graph.offsets[v + 1]);
    mine.change += std::abs(rank - ranks[v]);
    mine.dangling += share[v] == 0 ? rank : 0;
    ranks[v] = rank;
    next[v] = rank * share[v];
  }
  return mine;
}

}  // namespace

pagerank_result pagerank(world& world, const local_graph& graph, const pagerank_options& options) {
  pagerank_result result;
  if (graph.vertices == 0) return result;
  ghost_exchange<double> exchange(world, graph);
  const std::vector<double> share = shares(graph, exchange);
  const double n = static_cast<double>(graph.vertices);
  result.ranks.assign(graph.own(), 1 / n);
  sums mine{1, 0};
  for (std::size_t v = 0; v < graph.own(); ++v) {
    mine.dangling += share[v] == 0 ? 1 / n : 0;
    exchange.next()[v] = share[v] / n;
  }
  sums total = allreduce(world, mine);
  const std::uint64_t start_ns = world.now();
  while (result.iterations < options.most_iterations) {
    exchange.bring();
    const double base = (1 - options.damping) / n + options.damping * total.dangling / n;
    mine = iterate(graph, exchange.values(), share, base, options.damping, result.ranks,
                   exchange.next());
    total = allreduce(world, mine);  // and so nobody overwrites values still being read
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
