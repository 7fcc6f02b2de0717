// far-graph: PageRank, connected components and searches of a real graph, on one rank or many; and
// conversion of its file.

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "apps/common/program.hpp"
#include "apps/common/progress.hpp"
#include "apps/graph/convert.hpp"
#include "apps/graph/load.hpp"
#include "apps/graph/options.hpp"
#include "apps/graph/report.hpp"
#include "apps/graph/verify.hpp"
#include "apps/graph/vertex_values.hpp"
#include "far/far.hpp"

namespace far::apps {
namespace {

pagerank_result ranked(world& world, const local_graph& graph, const command& asked) {
  progress_bar bar("pagerank");
  pagerank_options options{asked.damping, asked.tolerance, asked.max_iterations, {}};
  if (world.rank() == 0 && bar.visible()) {
    options.on_iteration = [&](int iteration, double change) {
      bar.update(static_cast<std::uint64_t>(iteration),
                 static_cast<std::uint64_t>(asked.max_iterations),
                 fmt::format("change {:.1e}", change));
    };
  }
  return pagerank(world, graph, options);
}

std::uint64_t source_of(world& world, const local_graph& graph, const command& asked) {
  const std::string name = asked.source.rmat ? "the generated graph" : asked.source.file;
  return vertex_with_id(world, graph, asked.from, name);
}

bfs_result searched(world& world, const local_graph& graph, const command& asked) {
  const std::uint64_t source = source_of(world, graph, asked);
  progress_bar bar("bfs");
  if (world.rank() != 0 || !bar.visible()) return bfs(world, graph, source);
  std::uint64_t reached = 0;
  return bfs(world, graph, source, [&](std::uint64_t level, std::uint64_t active) {
    reached += active;
    bar.update(reached, graph.vertices, fmt::format("level {}", level));
  });
}

sssp_result measured(world& world, const local_graph& graph, const command& asked) {
  const std::uint64_t source = source_of(world, graph, asked);
  progress_bar bar("sssp");
  if (world.rank() != 0 || !bar.visible()) return sssp(world, graph, source);
  std::uint64_t rounds = 0;
  return sssp(world, graph, source, [&](std::uint64_t active) {
    bar.update(std::min(++rounds, graph.vertices), graph.vertices,
               fmt::format("round {}, {} vertices", rounds, active));
  });
}

communities_result divided(world& world, const local_graph& graph, const command& asked) {
  progress_bar bar("communities");
  if (world.rank() != 0 || !bar.visible()) return communities(world, graph, asked.rounds);
  return communities(world, graph, asked.rounds, [&](int iteration, std::uint64_t changed) {
    bar.update(static_cast<std::uint64_t>(iteration), static_cast<std::uint64_t>(asked.rounds),
               fmt::format("{} labels changed", changed));
  });
}

/// Collective: the ids of the vertices that are labels of own vertices.
std::vector<std::int64_t> ids_of_labels(world& world, const local_graph& graph,
                                        const std::vector<std::uint64_t>& labels) {
  array<std::int64_t> ids(world, graph.vertices);
  ids.put(graph.first(world.rank()), graph.ids);
  barrier(world);
  std::vector<std::int64_t> result = ids.get_many(labels);
  barrier(world);
  return result;
}

/// A distance as LDBC Graphalytics writes it.
std::string distance_text(double length) {
  return std::isfinite(length) ? fmt::format("{}", length) : "Infinity";
}

void write_found(world& world, const command& asked, const local_graph& graph, report& r) {
  r.output = asked.output;
  std::vector<std::int64_t> labels;
  if (r.communities) labels = ids_of_labels(world, graph, r.communities->labels);
  r.written = write_values(world, graph, asked.output, [&](std::size_t i) {
    if (r.communities) return std::to_string(labels[i]);
    return r.bfs ? std::to_string(r.bfs->levels[i]) : distance_text(r.sssp->distances[i]);
  });
}

void convert(world& world, const command& asked, const loaded_graph& loaded, report& r) {
  const id_rule rule{loaded.first_id, asked.renumber};
  r.output = asked.output;
  r.written = write_graph(world, loaded.graph, asked.output, output_format_of(asked.output), rule);
}

std::string run_command(world& world, const command& asked) {
  const bool finds = asked.bfs || asked.sssp || asked.communities;
  const bool converts = !asked.output.empty() && !finds;
  const bool weights = asked.sssp || (converts && has_weights(output_format_of(asked.output)));
  const load_options wanted{.weights = weights,
                            .allowed = asked.sssp ? weight_sign::not_negative : weight_sign::any,
                            .outgoing = converts || finds,
                            .read_twice = asked.verify};
  const loaded_graph loaded = read_graph(world, asked.source, asked.graph, wanted);
  const local_graph& graph = loaded.graph;
  report r;
  r.vertices = graph.vertices;
  r.edges = graph.edges;
  if (converts) convert(world, asked, loaded, r);
  if (asked.components) r.components = components(world, graph);
  if (asked.bfs) r.bfs = searched(world, graph, asked);
  if (asked.sssp) r.sssp = measured(world, graph, asked);
  if (asked.communities) r.communities = divided(world, graph, asked);
  r.weighted = graph.weighted;
  if (finds && !asked.output.empty()) write_found(world, asked, graph, r);
  if (asked.pagerank) {
    r.pagerank = ranked(world, graph, asked);
    r.top = top_vertices(world, graph, r.pagerank->ranks, asked.top);
    r.names = names_of(world, r.top, loaded.names);
  }
  if (asked.verify) {
    r.verdict = verify(world, asked, graph,
                       {r.pagerank ? &*r.pagerank : nullptr,
                        r.components ? &*r.components : nullptr, r.bfs ? &*r.bfs : nullptr,
                        r.sssp ? &*r.sssp : nullptr, r.communities ? &*r.communities : nullptr});
  }
  return asked.json ? as_json(r) : as_text(r);
}

}  // namespace
}  // namespace far::apps

int main(int argc, char** argv) {
  far::apps::run_program(argc, argv, far::apps::parse_command, far::apps::run_command);
}
