#pragma once
// Writes a loaded graph to a file, in parallel: each rank writes its own rows.

#include <string>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// The formats that are written, by the ending of the file's name.
enum class output_format : std::uint8_t {
  serialized,           ///< .sg (serialized.hpp)
  weighted_serialized,  ///< .wsg; weights must be integers of 32 bits
  edges,                ///< .el: an edge a line, an undirected one once
  weighted_edges,       ///< .wel: the same with weights
};

/// Errors: usage_error for another ending.
[[nodiscard]] output_format output_format_of(const std::string& path);

[[nodiscard]] constexpr bool has_weights(output_format format) {
  return format == output_format::weighted_serialized || format == output_format::weighted_edges;
}

/// How ids become numbers in a serialized graph, whose vertices are 0 .. n - 1.
struct id_rule {
  std::int64_t base = 0;  ///< a vertex's number is its id less this; unused numbers have no edges
  bool renumber = false;  ///< instead: its position among the ids
};

struct written_file {
  std::uint64_t vertices = 0;  ///< in the file
  std::uint64_t bytes = 0;
};

/// Collective: writes the graph, which must have its outgoing arcs, and weights if the format has.
/// Errors: bad_argument for a graph that the format cannot have: ids that are negative or too
/// large, weights that are missing or no integers; and those of shared_output.
written_file write_graph(world& world, const local_graph& graph, const std::string& path,
                         output_format format, const id_rule& rule);

}  // namespace far::apps
