#include "apps/graph/verify.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  const bool weights =
      std::ranges::any_of(asked.computations, [](const auto& one) { return one->needs().weights; });
  std::vector<std::int64_t> listed;
  whole_graph whole = whole_of(asked.source, weights, listed);
  const oracle::graph_rules rules{undirected, asked.graph.keep_duplicates, asked.graph.keep_loops};
  return oracle::build(std::move(whole.edges), rules, whole.header, listed, whole.weights);
}

}  // namespace

std::string verify(world& world, const command& asked, const local_graph& graph) {
  const std::vector<std::int64_t> ids = gather_lists(world, graph.ids);
  oracle::graph known;
  if (world.rank() == 0) {
    known = read_for_oracle(asked, graph.undirected);
    if (ids != known.ids || graph.edges != known.edges) {
      throw error(
          fmt::format("verification failed: {} vertices and {} edges, sequentially {} and {}",
                      ids.size(), graph.edges, known.ids.size(), known.edges));
    }
  }
  std::vector<std::string> verdicts;
  for (const auto& one : asked.computations) verdicts.push_back(one->compare(world, graph, known));
  if (world.rank() != 0) return {};
  // Of a summary, the ranks come first.
  std::ranges::reverse(verdicts);
  return fmt::format("{}", fmt::join(verdicts, "; "));
}

}  // namespace far::apps
