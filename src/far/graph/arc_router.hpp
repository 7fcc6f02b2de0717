#pragma once
// Turns edges into arcs, and sends these to the ranks that own their rows.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "far/graph/csr_graph.hpp"
#include "far/graph/row_builder.hpp"
#include "far/graph/vertex_shares.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far::graphs {

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
class arc_router {
 public:
  arc_router(const world& world, const vertex_shares& parts, std::uint64_t vertices,
             std::uint64_t arcs)
      : world_(&world), parts_(&parts), rows_(range_of(world, parts, vertices), arcs) {}

  /// Collective. `release`: frees the blocks that are sent.
  template <class Edges>
  void send(Edges& edges, const arc_rules& rules, bool release) {
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

  const world* world_;
  const vertex_shares* parts_;
  row_builder<Arc> rows_;
  std::vector<Arc> outgoing_;
  std::vector<std::size_t> to_each_;
};

}  // namespace far::graphs
