#pragma once

#include <string>

#include "apps/graph/load.hpp"
#include "apps/graph/local_graph.hpp"
#include "apps/graph/reader.hpp"
#include "apps/graph/serialized.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Collective: loads a serialized graph; each rank reads only its rows, and part of the offsets.
/// Rows whose neighbours ascend, as GAPBS writes them, are taken as they are; others are sorted.
/// Cost: no arc travels. Memory: the rows; and two bits for each vertex of the graph.
/// Errors: input_error for a file whose size is not what its head promises; offsets that do not
/// ascend; neighbours that are no vertices; weights that `wanted` does not allow; undirected rows
/// in which an edge has one direction only.
local_graph read_serialized(world& world, const std::string& path, bool weighted,
                            const graph_options& options, const load_options& wanted);

/// The same file, read sequentially by one rank, with simple code: for `--verify` and tests.
[[nodiscard]] whole_graph read_whole_serialized(const std::string& path, bool weighted);

}  // namespace far::apps
