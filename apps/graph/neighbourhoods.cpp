#include "apps/graph/neighbourhoods.hpp"

namespace far::apps {
namespace {

/// The columns of one row, without the vertex itself, each once.
class distinct_neighbours {
 public:
  distinct_neighbours(const adjacency& arcs, std::size_t row)
      : at_(arcs.columns.data() + arcs.offsets[row]),
        end_(arcs.columns.data() + arcs.offsets[row + 1]),
        row_(row) {
    skip_loops();
  }

  [[nodiscard]] bool ended() const { return at_ == end_; }
  [[nodiscard]] std::uint32_t column() const { return *at_; }
  void advance() {
    const std::uint32_t last = *at_;
    while (at_ != end_ && *at_ == last) ++at_;
    skip_loops();
  }

 private:
  void skip_loops() {
    while (at_ != end_ && *at_ == row_) ++at_;
  }

  const std::uint32_t* at_;
  const std::uint32_t* end_;
  std::size_t row_;
};

}  // namespace

neighbourhoods neighbourhoods_of(const world& world, const local_graph& graph) {
  const std::uint64_t first = graph.first(world.rank());
  const auto number = [&](std::uint32_t column) {
    return column < graph.own() ? first + column : graph.ghosts[column - graph.own()];
  };
  neighbourhoods result;
  result.columns.reserve(graph.in.columns.size());
  result.offsets.push_back(0);
  const auto end_row = [&] { result.offsets.push_back(result.columns.size()); };
  if (graph.undirected) {
    for (std::size_t v = 0; v < graph.own(); ++v) {
      for (distinct_neighbours all(graph.in, v); !all.ended(); all.advance()) {
        result.columns.push_back(all.column());
      }
      end_row();
    }
    return result;
  }
  for (std::size_t v = 0; v < graph.own(); ++v) {
    distinct_neighbours in(graph.in, v), out(graph.outgoing(), v);
    while (!in.ended() || !out.ended()) {
      const bool from_in =
          !in.ended() && (out.ended() || number(in.column()) <= number(out.column()));
      const bool from_out =
          !out.ended() && (in.ended() || number(out.column()) <= number(in.column()));
      result.columns.push_back(from_in ? in.column() : out.column());
      result.arcs.push_back(from_in && from_out ? 2 : 1);
      if (from_in) in.advance();
      if (from_out) out.advance();
    }
    end_row();
  }
  return result;
}

}  // namespace far::apps
