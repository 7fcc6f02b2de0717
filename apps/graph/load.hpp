#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/graph/build.hpp"
#include "apps/graph/edge_store.hpp"
#include "apps/graph/format.hpp"
#include "apps/graph/memory_need.hpp"
#include "apps/graph/numbering.hpp"
#include "apps/graph/rmat.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Where a graph comes from: a file, or a generator.
struct graph_source {
  std::string file = {};
  graph_format format = graph_format::automatic;
  std::optional<rmat_settings> rmat = {};
};

/// The format of a file: given, or by its name; automatic if neither says.
[[nodiscard]] graph_format format_of(const graph_source& source);

/// What to load besides the arcs that lead into own vertices.
struct load_options {
  bool weights = false;                    ///< stored if the file has them
  weight_sign allowed = weight_sign::any;  ///< of the weights; others are an error
  bool outgoing = false;                   ///< arcs that leave own vertices, of a directed graph
  bool read_twice = false;                 ///< the caller will read the file a second time
  bool both_ways = false;  ///< known beforehand to be undirected: for the estimate of memory
};

using vertex_names = std::unordered_map<std::int64_t, std::string>;

/// The edges that one rank has read.
struct loaded_part {
  edge_store edges;
  vertex_names names;      ///< found in this part of the file
  vertex_source vertices;  ///< the header is the same on every rank
};

/// Collective: every rank reads its part of a file of text; rank 0 shows progress on a terminal.
/// Errors: input_error on the rank that reads the faulty part, which ends the job; also for a graph
/// that does not fit the machine's memory.
loaded_part load_graph(world& world, const graph_source& source, const load_options& wanted = {});

struct loaded_graph {
  local_graph graph;
  vertex_names names;
  std::int64_t first_id = 0;  ///< 1 for formats whose vertices are numbered from 1
};

/// Collective: loads a graph from any source.
/// Errors: as load_graph and build_graph.
loaded_graph read_graph(world& world, const graph_source& source, const graph_options& options,
                        load_options wanted = {});

}  // namespace far::apps
