#include "apps/graph/metis_check.hpp"

#include <algorithm>
#include <bit>

#include "apps/common/input_error.hpp"
#include "apps/graph/build.hpp"
#include "far/base/random.hpp"

namespace far::apps {
namespace {

bool sums_agree(world& world, const edge_store& edges) {
  std::uint64_t difference = 0;
  edges.visit_all([&](const auto& block) {
    for (std::size_t i = 0; i < block.edges.size(); ++i) {
      const auto from = static_cast<std::uint64_t>(block.edges[i].from);
      const auto to = static_cast<std::uint64_t>(block.edges[i].to);
      const std::uint64_t weight =
          block.weights.empty() ? 0 : std::bit_cast<std::uint64_t>(block.weights[i]);
      const auto value = [&](std::uint64_t a, std::uint64_t b) {
        return base::mix(base::mix(a + weight) + b);
      };
      difference += value(from, to) - value(to, from);
    }
  });
  return allreduce(world, difference) == 0;
}

/// The columns and weights of a row that is in the order of its columns' numbers.
struct row_view {
  const adjacency* rows;
  std::uint64_t at;
  std::uint64_t end;

  row_view(const adjacency& all, std::size_t v)
      : rows(&all), at(all.offsets[v]), end(all.offsets[v + 1]) {}

  [[nodiscard]] double weight() const { return rows->weights.empty() ? 0 : rows->weights[at]; }
};

/// Throws for the first own vertex whose list is not that of the vertices which list it.
void find_difference(const world& world, const std::string& path, const local_graph& graph) {
  const std::uint64_t first = graph.first(world.rank());
  const auto number_of = [&](std::uint32_t column) {
    return column < graph.own() ? first + column : graph.ghosts[column - graph.own()];
  };
  const auto next = [&](const row_view& row) {
    return row.at < row.end ? number_of(row.rows->columns[row.at]) : graph.vertices;
  };
  for (std::size_t v = 0; v < graph.own(); ++v) {
    row_view lists(graph.out, v);
    row_view listed_by(graph.in, v);
    for (; lists.at < lists.end || listed_by.at < listed_by.end; ++lists.at, ++listed_by.at) {
      const std::uint64_t to = next(lists);
      const std::uint64_t from = next(listed_by);
      const std::uint64_t here = first + v + 1;  // as the file counts
      if (to == from && lists.weight() == listed_by.weight()) continue;
      if (to == from) {
        throw input_error(path, fmt::format("the edge of vertices {} and {} has weight {} in one "
                                            "list and {} in the other; correct one",
                                            here, to + 1, lists.weight(), listed_by.weight()));
      }
      const auto [lister, missing] =
          to < from ? std::pair(here, to + 1) : std::pair(from + 1, here);
      throw input_error(path,
                        fmt::format("vertex {0} has neighbour {1}, but {1} does not have {0}; "
                                    "list each edge at both of its vertices",
                                    lister, missing));
    }
  }
}

}  // namespace

void check_both_lists(world& world, const std::string& path, const edge_store& edges,
                      const numbering& names) {
  if (sums_agree(world, edges)) return;
  const graph_options all{.keep_duplicates = true, .keep_loops = true};
  find_difference(world, path, build_numbered(world, edges, all, names, {}, true));
  barrier(world);  // a rank that has found a difference ends the job
  throw input_error(path, "the lists of neighbours disagree; list each edge at both vertices");
}

}  // namespace far::apps
