#include "far/graph/vertex_engine.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::graphs {

void refuse_start(std::uint64_t vertex) {
  throw bad_argument(fmt::format(
      "vertex_engine::start: vertex {} is not of this rank; its owner starts it (see owns)",
      vertex));
}

void check_outgoing(const csr_graph& graph) {
  if (!graph.outgoing().offsets.empty()) return;
  throw bad_argument(
      "vertex_engine: the graph has no outgoing arcs, along which vertices send: make it with them "
      "(graph_rules::outgoing)");
}

}  // namespace far::graphs
