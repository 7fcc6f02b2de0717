#include "apps/graph/memory_need.hpp"

#include "apps/common/free_memory.hpp"
#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

/// Of a vertex, without edges: id, row offset and its next arc, rank, share, and the value that
/// other ranks read; some of these exist twice during construction.
constexpr double bytes_per_vertex = 48;

double share_of(const world& world) {
  int neighbours = 0;  // ranks on this machine
  for (int r = 0; r < world.size(); ++r) {
    if (world.node_of(r) == world.node_of(world.rank())) ++neighbours;
  }
  return static_cast<double>(neighbours) / world.size();
}

}  // namespace

double graph_size::bytes() const {
  // An edge is stored with two ids of 4 bytes; its arcs take as much again while the rows are
  // built.
  const double arc = weighted ? 16 : 8;
  return vertices * bytes_per_vertex + edges * (both_ways ? 3 : 2) * arc;
}

memory_budget::memory_budget(const world& world)
    : free_(static_cast<double>(free_memory())), share_(share_of(world)) {}

void memory_budget::check(const std::string& path, const graph_size& size, std::string_view what,
                          std::string_view correct) const {
  const double needed = size.bytes() * share_;
  if (needed <= free_) return;
  throw input_error(path, fmt::format("{}, which take about {:.3g} GB of memory where {:.3g} GB "
                                      "are free: {:.3g} GB are missing; {}use more machines",
                                      what, needed * 1e-9, free_ * 1e-9, (needed - free_) * 1e-9,
                                      correct.empty() ? "" : fmt::format("{}, or ", correct)));
}

}  // namespace far::apps
