#include "apps/graph/build.hpp"

#include <algorithm>

#include "apps/graph/row_builder.hpp"
#include "apps/graph/vertex_shares.hpp"

namespace far::apps {
namespace {

/// How edges become arcs.
struct arc_rules {
  bool both_ways = false;  ///< each edge has two arcs
  bool keep_loops = false;
  bool outgoing = false;  ///< rows are sources, not targets
  double reverse = 1;     ///< factor of the weight of the second arc
};

/// Calls emit(row, column, weight) for each arc of a block of edges.
template <class Block, class Emit>
void arcs_of(const Block& block, const arc_rules& rules, Emit&& emit) {
  const bool weighted = !block.weights.empty();
  for (std::size_t i = 0; i < block.edges.size(); ++i) {
    const auto [from, to] = block.edges[i];
    const double weight = weighted ? block.weights[i] : 0;
    if (from == to) {
      if (rules.keep_loops) emit(to, from, weight);
    } else {
      if (rules.both_ways || !rules.outgoing) {
        emit(to, from, rules.outgoing ? rules.reverse * weight : weight);
      }
      if (rules.both_ways || rules.outgoing) {
        emit(from, to, rules.outgoing ? weight : rules.reverse * weight);
      }
    }
  }
}

/// Sends arcs to the owners of their rows, block by block, and builds the rows.
template <class Arc>
class router {
 public:
  router(world& world, const vertex_shares& parts, std::uint64_t vertices, std::uint64_t arcs)
      : world_(&world), parts_(&parts), rows_(range_of(world, parts, vertices), arcs) {}

  /// Collective. `release`: frees the blocks that are sent.
  void send(edge_store& edges, const arc_rules& rules, bool release) {
    const auto max = [](auto a, auto b) { return std::max(a, b); };
    const bool alone = world_->size() == 1;
    const auto rounds = allreduce(*world_, static_cast<std::uint64_t>(edges.blocks()), max);
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const auto take = [&](const auto& block) { alone ? add(block, rules) : pack(block, rules); };
      if (round < edges.blocks()) {
        edges.visit(round, take);
        if (release) edges.release(round);
      }
      if (!alone) exchange();
    }
  }

  [[nodiscard]] adjacency finish(bool keep_duplicates, std::vector<std::uint64_t>& ghosts) {
    return rows_.finish(keep_duplicates, ghosts);
  }

 private:
  using number = decltype(Arc::column);

  static own_range range_of(const world& world, const vertex_shares& parts,
                            std::uint64_t vertices) {
    const auto rank = static_cast<std::size_t>(world.rank());
    return {parts.starts()[rank], parts.starts()[rank + 1] - parts.starts()[rank], vertices};
  }

  static Arc arc_of(std::uint64_t row, std::uint64_t column, [[maybe_unused]] double weight) {
    Arc arc;
    arc.row = static_cast<std::uint32_t>(row);
    arc.column = static_cast<number>(column);
    if constexpr (requires { arc.weight; }) arc.weight = weight;
    return arc;
  }

  template <class Block>
  void add(const Block& block, const arc_rules& rules) {
    arcs_of(block, rules, [&](auto row, auto column, double weight) {
      rows_.add(
          arc_of(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column), weight));
    });
  }

  /// Fills outgoing_ with the block's arcs, in the order of their owners.
  template <class Block>
  void pack(const Block& block, const arc_rules& rules) {
    to_each_.assign(static_cast<std::size_t>(world_->size()), 0);
    arcs_of(block, rules, [&](auto row, auto, double) {
      ++to_each_[parts_->owner_of(static_cast<std::uint64_t>(row))];
    });
    std::vector<std::size_t> next(to_each_.size(), 0);
    for (std::size_t r = 1; r < next.size(); ++r) next[r] = next[r - 1] + to_each_[r - 1];
    outgoing_.resize(next.back() + to_each_.back());
    arcs_of(block, rules, [&](auto row, auto column, double weight) {
      const auto vertex = static_cast<std::uint64_t>(row);
      const std::uint32_t owner = parts_->owner_of(vertex);
      outgoing_[next[owner]++] =
          arc_of(vertex - parts_->starts()[owner], static_cast<std::uint64_t>(column), weight);
    });
  }

  void exchange() {
    if (to_each_.empty()) to_each_.assign(static_cast<std::size_t>(world_->size()), 0);
    for (const Arc& arc : alltoallv(*world_, outgoing_, to_each_)) rows_.add(arc);
    outgoing_.clear();
    to_each_.clear();
  }

  world* world_;
  const vertex_shares* parts_;
  row_builder<Arc> rows_;
  std::vector<Arc> outgoing_;
  std::vector<std::size_t> to_each_;
};

/// Counts the arcs of each vertex, and divides the vertices among the ranks.
vertex_shares share_out(world& world, const edge_store& edges, const arc_rules& rules,
                        std::uint64_t vertices) {
  vertex_shares parts(world.size(), vertices);
  if (world.size() > 1) {
    edges.visit_all([&](const auto& block) {
      arcs_of(block, rules,
              [&](auto row, auto, double) { parts.count(static_cast<std::uint64_t>(row)); });
    });
  }
  parts.divide(world);
  return parts;
}

template <class Number, bool weighted>
void build_rows(world& world, local_graph& graph, edge_store& edges, arc_rules rules,
                const vertex_shares& parts, bool keep_duplicates, bool outgoing) {
  using arc = row_arc<Number, weighted>;
  const std::uint64_t arcs = (rules.both_ways ? 2 : 1) * edges.size();
  std::vector<std::uint64_t> ghosts;
  if (outgoing) {
    rules.outgoing = true;
    router<arc> route(world, parts, graph.vertices, arcs);
    route.send(edges, rules, false);
    graph.out = route.finish(keep_duplicates, ghosts);
    rules.outgoing = false;
  }
  {
    router<arc> route(world, parts, graph.vertices, arcs);
    route.send(edges, rules, true);
    graph.in = route.finish(keep_duplicates, graph.ghosts);
  }
  if (outgoing) share_ghosts(graph.own(), graph.in, graph.ghosts, graph.out, ghosts);
}

}  // namespace

std::uint64_t count_edges(world& world, const local_graph& graph) {
  const std::uint64_t first = graph.first(world.rank());
  std::uint64_t count = graph.in.columns.size();
  if (graph.undirected) {  // count one of the two directions
    count = 0;
    for (std::size_t v = 0; v < graph.own(); ++v) {
      for (std::uint64_t a = graph.in.offsets[v]; a < graph.in.offsets[v + 1]; ++a) {
        const std::uint64_t column = graph.in.columns[a];
        const std::uint64_t from =
            column < graph.own() ? first + column : graph.ghosts[column - graph.own()];
        count += from <= first + v ? 1 : 0;
      }
    }
  }
  return allreduce(world, count);
}

int owner_of(const std::vector<std::uint64_t>& starts, std::uint64_t vertex) {
  return static_cast<int>(std::upper_bound(starts.begin(), starts.end(), vertex) - starts.begin()) -
         1;
}

local_graph build_graph(world& world, edge_store edges, graph_options options,
                        const vertex_source& source, bool outgoing) {
  const numbering names(world, edges, source);
  names.rename(edges);
  return build_numbered(world, std::move(edges), options, names, source, outgoing);
}

local_graph build_numbered(world& world, edge_store edges, graph_options options,
                           const numbering& names, const vertex_source& source, bool outgoing) {
  local_graph graph;
  graph.vertices = names.vertices();
  const bool listed_twice = source.header && source.header->listed_twice;
  const bool symmetric = source.header && source.header->symmetric;
  graph.undirected = options.undirected || symmetric || listed_twice;
  graph.weighted = allreduce(world, std::uint64_t{edges.weighted() ? 1U : 0U}) != 0;

  const double reverse = source.header && source.header->skew ? -1 : 1;
  const arc_rules rules{graph.undirected && !listed_twice, options.keep_loops, false, reverse};
  const vertex_shares parts = share_out(world, edges, rules, graph.vertices);
  graph.starts = parts.starts();
  graph.ids = names.ids_of(world, graph.starts);
  // The two directions of a skew matrix differ in their weights.
  const bool both = outgoing && (!graph.undirected || (graph.weighted && reverse != 1));
  const auto build = [&]<class Number>(Number) {
    const auto rows = graph.weighted ? build_rows<Number, true> : build_rows<Number, false>;
    rows(world, graph, edges, rules, parts, options.keep_duplicates, both);
  };
  if (graph.vertices <= std::uint64_t{1} << 32) {
    build(std::uint32_t{});
  } else {
    build(std::uint64_t{});
  }
  graph.edges = count_edges(world, graph);
  return graph;
}

}  // namespace far::apps
