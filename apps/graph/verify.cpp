#include "apps/graph/verify.hpp"

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
whole_graph whole_of(const graph_source& source, std::vector<std::int64_t>& listed) {
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
  if (format == graph_format::ldbc) return read_whole_ldbc(source.file, false, listed);
  return read_whole_graph(source.file, format);
}

oracle::graph read_for_oracle(const command& asked, bool undirected) {
  std::vector<std::int64_t> listed;
  whole_graph whole = whole_of(asked.source, listed);
  const oracle::graph_rules rules{undirected, asked.graph.keep_duplicates, asked.graph.keep_loops};
  return oracle::build(std::move(whole.edges), rules, whole.header, listed);
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

}  // namespace

std::string verify(world& world, const command& asked, const local_graph& graph,
                   const pagerank_result* ranks, const components_result* components) {
  const auto ids = gather_lists(world, graph.ids);
  const auto all_ranks =
      ranks != nullptr ? gather_lists(world, ranks->ranks) : std::vector<double>();
  const auto all_labels = components != nullptr ? gather_lists(world, components->labels)
                                                : std::vector<std::uint64_t>();
  if (world.rank() != 0) return {};
  const oracle::graph expected = read_for_oracle(asked, graph.undirected);
  if (ids != expected.ids || graph.edges != expected.edges) {
    throw error(fmt::format("verification failed: {} vertices and {} edges, sequentially {} and {}",
                            ids.size(), graph.edges, expected.ids.size(), expected.edges));
  }
  std::string verdict;
  if (ranks != nullptr) verdict = compare_ranks(asked, expected, all_ranks);
  if (components != nullptr) {
    if (!verdict.empty()) verdict += "; ";
    verdict += compare_labels(expected, all_labels);
  }
  return verdict;
}

}  // namespace far::apps
