#include "apps/graph/triangle_sums.hpp"

#include <span>

#include "apps/graph/ghost_rows.hpp"
#include "apps/graph/oriented_rows.hpp"
#include "far/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

class triangle_finder {
 public:
  explicit triangle_finder(const oriented_rows& rows)
      : rows_(&rows), marks_(rows.column_at.size(), 0), sums_(rows.column_at.size(), 0) {}

  /// Finds the triangles in which this place is the middle corner. `targets`: of its row.
  void add(std::uint32_t place, std::span<const std::uint32_t> targets,
           std::span<const std::uint8_t> arcs) {
    const auto edges = rows_->sources_of(place);
    if (edges.empty() || targets.empty()) return;
    if (arcs.empty()) {
      for (const std::uint32_t t : targets) marks_[t] = 1;
      count(place, edges);
    } else {
      for (std::size_t i = 0; i < targets.size(); ++i) marks_[targets[i]] = arcs[i];
      weigh(place, edges);
    }
    for (const std::uint32_t t : targets) marks_[t] = 0;
  }

  [[nodiscard]] const std::vector<std::uint64_t>& sums() const { return sums_; }  // by place

 private:
  // Neither loop branches: half of the marks are set, in no order that a processor could predict.
  void count(std::uint32_t place, std::span<const oriented_rows::source> edges) {
    const std::uint8_t* const marks = marks_.data();
    std::uint64_t* const sums = sums_.data();
    std::uint64_t all = 0;
    for (const auto& [v, index] : edges) {
      std::uint64_t found = 0;
      for (const std::uint32_t t : rows_->row(v).subspan(index + 1)) {
        const std::uint64_t mark = marks[t];
        sums[t] += mark;
        found += mark;
      }
      sums_[rows_->place_of[v]] += found;
      all += found;
    }
    sums_[place] += all;
  }

  void weigh(std::uint32_t place, std::span<const oriented_rows::source> edges) {
    std::uint64_t all = 0;
    for (const auto& [v, index] : edges) {
      const auto row = rows_->row(v);
      const auto arcs = rows_->arcs_of_row(v);
      const std::uint64_t to_place = arcs[index];
      std::uint64_t opposite = 0;
      for (std::size_t i = index + 1; i < row.size(); ++i) {
        const std::uint64_t mark = marks_[row[i]];
        const std::uint64_t is_marked = mark != 0 ? 1 : 0;
        sums_[row[i]] += is_marked * to_place;
        all += is_marked * arcs[i];
        opposite += mark;
      }
      sums_[rows_->place_of[v]] += opposite;
    }
    sums_[place] += all;
  }

  const oriented_rows* rows_;
  std::vector<std::uint8_t> marks_;  // by place: arcs from the middle corner, or 1
  std::vector<std::uint64_t> sums_;
};

}  // namespace

std::vector<std::uint64_t> sum_over_triangles(
    world& world, const local_graph& graph, const neighbourhoods& neighbours, corner_sum what,
    const std::function<void(std::uint64_t, std::uint64_t)>& on_edges) {
  const oriented_rows rows = orient(world, graph, neighbours, what == corner_sum::arcs);
  triangle_finder finder(rows);
  std::uint64_t done = 0;
  const auto advance = [&](std::uint32_t place) {
    done += rows.sources_of(place).size();
    if (on_edges) on_edges(done, rows.sources.size());
  };
  for (std::uint32_t place = 0; place < rows.column_at.size(); ++place) {
    const std::uint32_t column = rows.column_at[place];
    if (column >= graph.own()) continue;
    finder.add(place, rows.row(column), rows.arcs_of_row(column));
    advance(place);
  }
  if (world.size() > 1) {
    ghost_rows remote(world, graph, rows);
    remote.visit([&](std::uint32_t place, auto targets, auto arcs) {
      finder.add(place, targets, arcs);
      advance(place);
    });
  }
  if (on_edges) on_edges(rows.sources.size(), rows.sources.size());
  std::vector<std::uint64_t> sums(rows.column_at.size());
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] = finder.sums()[rows.place_of[c]];
  ghost_exchange<std::uint64_t>(world, graph).add_to_owners(sums);
  sums.resize(graph.own());
  return sums;
}

}  // namespace far::apps
