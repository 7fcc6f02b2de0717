#pragma once
// Vertices by their ids, and files with a value of each.

#include <cstdint>
#include <string>
#include <vector>

#include "apps/graph/computation.hpp"
#include "apps/graph/convert.hpp"
#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Collective: the number of the vertex with this id. `graph_name` is for the message.
/// Errors: bad_argument on every rank if the graph has none.
std::uint64_t vertex_with_id(world& world, const local_graph& graph, std::int64_t id,
                             const std::string& graph_name);

/// Collective: the text of own vertex i's label, which is the id of vertex labels[i] of any rank.
[[nodiscard]] value_text id_text_of(world& world, const local_graph& graph,
                                    const std::vector<std::uint64_t>& labels);

/// Collective: writes a line `ID value` for each vertex, in the order of ids. `value_of(i)` is the
/// text for own vertex i. Each rank writes its part.
/// Errors: as shared_output.
/// Checked by: far_graph_search.writes_a_level_for_each_vertex
written_file write_values(world& world, const local_graph& graph, const std::string& path,
                          const std::function<std::string(std::size_t)>& value_of);

}  // namespace far::apps
