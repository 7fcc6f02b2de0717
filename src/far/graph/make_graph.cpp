#include "far/graph/make_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/graph/build_rows.hpp"
#include "far/team/team.hpp"

namespace far {
namespace {

/// A program's arcs as blocks.
class arc_blocks {
 public:
  struct block {
    std::span<const arc> edges;
    std::span<const double> weights;
  };

  arc_blocks(std::span<const arc> arcs, std::span<const double> weights)
      : arcs_(arcs), weights_(weights) {}

  [[nodiscard]] std::uint64_t size() const { return arcs_.size(); }
  [[nodiscard]] std::size_t blocks() const { return (arcs_.size() + per_block - 1) / per_block; }
  template <class Visit>
  void visit(std::size_t index, Visit&& visit) const {
    const std::size_t begin = index * per_block;
    const std::size_t count = std::min(per_block, arcs_.size() - begin);
    const auto weights = weights_.empty() ? weights_ : weights_.subspan(begin, count);
    visit(block{arcs_.subspan(begin, count), weights});
  }
  template <class Visit>
  void visit_all(Visit&& visit_one) const {
    for (std::size_t i = 0; i < blocks(); ++i) visit(i, visit_one);
  }
  void release(std::size_t) const {}  // the program's own

 private:
  static constexpr std::size_t per_block = 32 * 1024;
  std::span<const arc> arcs_;
  std::span<const double> weights_;
};

std::string problem_of(std::uint64_t vertices, std::span<const arc> arcs,
                       std::span<const double> weights) {
  if (!weights.empty() && weights.size() != arcs.size()) {
    return fmt::format("{} arcs have {} weights: give one for each, or none", arcs.size(),
                       weights.size());
  }
  const auto beyond = std::ranges::find_if(
      arcs, [=](const arc& a) { return a.from >= vertices || a.to >= vertices; });
  if (beyond == arcs.end()) return {};
  return fmt::format("arc {} leads from {} to {}, and the graph has {} vertices",
                     beyond - arcs.begin(), beyond->from, beyond->to, vertices);
}

/// What all ranks have to give alike.
std::uint64_t shape_of(std::uint64_t vertices, const graph_rules& rules) {
  const auto bit = [](bool set, int place) { return std::uint64_t{set ? 1U : 0U} << place; };
  return vertices << 4 | bit(rules.undirected, 0) | bit(rules.keep_duplicates, 1) |
         bit(rules.keep_loops, 2) | bit(rules.outgoing, 3);
}

struct claims {
  std::uint64_t wrong = 0;              ///< ranks whose arcs are refused
  std::uint64_t least = 0, most = 0;    ///< shapes
  std::uint64_t with = 0, without = 0;  ///< ranks with arcs that have weights, or none
  friend claims operator+(claims a, claims b) {
    return {a.wrong + b.wrong, std::min(a.least, b.least), std::max(a.most, b.most),
            a.with + b.with, a.without + b.without};
  }
};

}  // namespace

csr_graph make_graph(const world& world, std::uint64_t vertices, std::span<const arc> arcs,
                     std::span<const double> weights, const graph_rules& rules) {
  const std::string problem = problem_of(vertices, arcs, weights);
  const std::uint64_t shape = shape_of(vertices, rules);
  const bool has_arcs = !arcs.empty();
  const claims all = allreduce(
      world, claims{problem.empty() ? 0U : 1U, shape, shape, has_arcs && !weights.empty() ? 1U : 0U,
                    has_arcs && weights.empty() ? 1U : 0U});
  if (!problem.empty()) throw bad_argument("make_graph: " + problem);
  if (all.wrong != 0) throw bad_argument("make_graph: another rank's arcs are refused");
  if (all.least != all.most) {
    throw bad_argument("make_graph: ranks give different numbers of vertices, or rules");
  }
  if (all.with != 0 && all.without != 0) {
    throw bad_argument("make_graph: some ranks' arcs have weights and others' have none");
  }
  csr_graph graph;
  graph.vertices = vertices;
  graph.undirected = rules.undirected;
  graph.weighted = all.with != 0;
  arc_blocks blocks(arcs, weights);
  graphs::build_rows(world, graph, blocks, {rules.undirected, rules.keep_loops, false, 1},
                     rules.keep_duplicates, rules.outgoing && !rules.undirected);
  return graph;
}

}  // namespace far
