#pragma once
// Graphs of LDBC Graphalytics (ldbcouncil.org/benchmarks/graphalytics), in two files: NAME.v has a
// vertex id a line; NAME.e an edge a line, `FROM TO [WEIGHT]`, between those vertices. A third,
// NAME.properties, may say graph.<name>.directed = true or false; an undirected graph lists each
// edge once.

#include <optional>
#include <string>
#include <vector>

#include "apps/graph/edge_store.hpp"
#include "apps/graph/numbering.hpp"
#include "apps/graph/reader.hpp"
#include "far/far.hpp"

namespace far::apps {

struct ldbc_files {
  std::string vertices;
  std::string edges;
  std::string properties;  ///< need not exist
};

/// The files of a graph that is given by one of them, or by NAME. Those of vertices and edges may
/// be packed, as NAME.v.gz.
[[nodiscard]] ldbc_files ldbc_files_of(const std::string& path);

/// Whether the properties say that the graph is undirected; false if there are none.
/// Errors: input_error for another value than true and false.
[[nodiscard]] bool says_undirected(const std::string& properties);

/// Collective: this rank's part of the list of vertices. Errors: input_error.
[[nodiscard]] std::vector<std::int64_t> read_vertices(world& world, const std::string& path,
                                                      bool read_twice);

/// Throws input_error for the first edge of this rank's part with vertex `id`, which is not listed.
[[noreturn]] void fail_unknown_vertex(world& world, const ldbc_files& files, std::int64_t id);

/// All of it, by one rank, with the vertices in `vertices`.
[[nodiscard]] whole_graph read_whole_ldbc(const std::string& path, bool weights,
                                          std::vector<std::int64_t>& vertices);

}  // namespace far::apps
