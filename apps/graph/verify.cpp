#include "apps/graph/verify.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/ldbc.hpp"
#include "apps/graph/oracle.hpp"
#include "apps/graph/reader.hpp"
#include "apps/graph/serialized_reader.hpp"

namespace far::apps {
namespace {

/// All edges, by one rank; `listed`: vertices besides theirs.
whole_graph whole_of(const graph_source& source, bool weights, std::vector<std::int64_t>& listed) {
  if (source.rmat) {
    whole_graph whole;
    whole.header = graph_header{.vertices = source.rmat->vertices(), .first_id = 0};
    const rmat_generator edge_at(*source.rmat);
    for (std::uint64_t e = 0; e < source.rmat->edges(); ++e) whole.edges.push_back(edge_at(e));
    return whole;
  }
  const graph_format format = format_of(source);
  if (is_serialized(format)) {
    return read_whole_serialized(source.file, format == graph_format::weighted_serialized);
  }
  if (format == graph_format::ldbc) return read_whole_ldbc(source.file, weights, listed);
  return read_whole_graph(source.file, format, weights);
}

oracle::graph read_for_oracle(const command& asked, bool undirected) {
  std::vector<std::int64_t> listed;
  whole_graph whole = whole_of(asked.source, asked.sssp, listed);
  const oracle::graph_rules rules{undirected, asked.graph.keep_duplicates, asked.graph.keep_loops};
  return oracle::build(std::move(whole.edges), rules, whole.header, listed, whole.weights);
}

std::string compare_ranks(const command& asked, const oracle::graph& graph,
                          const std::vector<double>& ranks) {
  const auto expected =
      oracle::pagerank(graph, {asked.damping, asked.tolerance, asked.max_iterations});
  double difference = 0;
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    difference += std::abs(ranks[v] - expected.ranks[v]);
  }
  constexpr double bound = 1e-9;
  if (!(difference <= bound)) {
    throw error(
        fmt::format("verification failed: the ranks differ from a sequential "
                    "computation's by {:.3g} in sum (at most {:.0e})",
                    difference, bound));
  }
  return fmt::format("ranks differ from a sequential computation's by {:.1e} in sum", difference);
}

std::string compare_labels(const oracle::graph& graph, const std::vector<std::uint64_t>& labels) {
  const auto expected = oracle::components(graph);
  for (std::size_t v = 0; v < labels.size(); ++v) {
    if (graph.ids[labels[v]] != expected.labels[v]) {
      throw error(
          fmt::format("verification failed: vertex {} is in the component of {}, "
                      "sequentially in that of {}",
                      graph.ids[v], graph.ids[labels[v]], expected.labels[v]));
    }
  }
  return "components equal a sequential computation's";
}

std::uint32_t source_of(const command& asked, const oracle::graph& graph) {
  const auto at = std::ranges::lower_bound(graph.ids, asked.from);
  return static_cast<std::uint32_t>(at - graph.ids.begin());
}

std::string compare_paths(const command& asked, const oracle::graph& graph,
                          const std::vector<double>& distances) {
  const auto expected = oracle::distances(graph, source_of(asked, graph));
  for (std::size_t v = 0; v < distances.size(); ++v) {
    if (distances[v] == expected[v]) continue;
    throw error(fmt::format("verification failed: vertex {} is at distance {}, sequentially at {}",
                            graph.ids[v], distances[v], expected[v]));
  }
  return "distances equal a sequential computation's";
}

/// By Graph500's rules: a parent is one level nearer to the source, and an arc leads from it.
std::string compare_search(const command& asked, const oracle::graph& graph,
                           const std::vector<std::uint64_t>& levels,
                           const std::vector<std::uint64_t>& parents) {
  const auto expected = oracle::levels(graph, source_of(asked, graph));
  std::vector<bool> has_arc(levels.size());  // from its parent
  for (const auto& [from, to] : graph.arcs) has_arc[to] = has_arc[to] || parents[to] == from;
  for (std::size_t v = 0; v < levels.size(); ++v) {
    if (levels[v] != expected[v].value_or(not_reached)) {
      throw error(fmt::format("verification failed: vertex {} is at level {}, sequentially at {}",
                              graph.ids[v], levels[v], expected[v].value_or(not_reached)));
    }
    if (levels[v] == 0 || levels[v] == not_reached) continue;
    if (!has_arc[v] || levels.at(parents[v]) + 1 != levels[v]) {
      throw error(
          fmt::format("verification failed: vertex {} has no edge from a vertex of level {}",
                      graph.ids[v], levels[v] - 1));
    }
  }
  return "levels equal a sequential search's, and parents are a tree";
}

std::string compare_communities(const command& asked, const oracle::graph& graph, bool undirected,
                                const std::vector<std::uint64_t>& labels) {
  const auto expected = oracle::communities(graph, undirected, asked.rounds);
  for (std::size_t v = 0; v < labels.size(); ++v) {
    if (labels[v] == expected[v]) continue;
    throw error(fmt::format("verification failed: vertex {} has label {}, sequentially {}",
                            graph.ids[v], graph.ids.at(labels[v]), graph.ids[expected[v]]));
  }
  return "communities equal a sequential computation's";
}

}  // namespace

std::string verify(world& world, const command& asked, const local_graph& graph,
                   const computed& results) {
  const auto ids = gather_lists(world, graph.ids);
  std::vector<double> all_ranks, all_distances;
  std::vector<std::uint64_t> all_labels, all_levels, all_parents;
  if (results.ranks != nullptr) all_ranks = gather_lists(world, results.ranks->ranks);
  if (results.components != nullptr) all_labels = gather_lists(world, results.components->labels);
  if (results.search != nullptr) {
    all_levels = gather_lists(world, results.search->levels);
    all_parents = gather_lists(world, results.search->parents);
  }
  if (results.paths != nullptr) all_distances = gather_lists(world, results.paths->distances);
  if (results.communities != nullptr) {
    all_labels = gather_lists(world, results.communities->labels);
  }
  if (world.rank() != 0) return {};
  const oracle::graph expected = read_for_oracle(asked, graph.undirected);
  if (ids != expected.ids || graph.edges != expected.edges) {
    throw error(fmt::format("verification failed: {} vertices and {} edges, sequentially {} and {}",
                            ids.size(), graph.edges, expected.ids.size(), expected.edges));
  }
  std::string verdict;
  const auto add = [&verdict](const std::string& more) {
    verdict += (verdict.empty() ? "" : "; ") + more;
  };
  if (results.ranks != nullptr) add(compare_ranks(asked, expected, all_ranks));
  if (results.components != nullptr) add(compare_labels(expected, all_labels));
  if (results.search != nullptr) add(compare_search(asked, expected, all_levels, all_parents));
  if (results.paths != nullptr) add(compare_paths(asked, expected, all_distances));
  if (results.communities != nullptr) {
    add(compare_communities(asked, expected, graph.undirected, all_labels));
  }
  return verdict;
}

}  // namespace far::apps
