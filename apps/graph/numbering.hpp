#pragma once
// Numbers the vertices of a graph whose ids are any 64-bit integers: a vertex's number is the
// position of its id in the sorted order of all ids. There are three ways, by what the ids are:
// - consecutive: the number is a difference. Files whose head says so, and ids without gaps.
// - dense: most ids of a range occur. Every rank has a bit for each id of the range (id_set).
// - scattered: a distributed sample sort; each rank keeps a table of the ids in its own edges.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "apps/graph/edge_store.hpp"
#include "apps/graph/id_set.hpp"
#include "apps/graph/id_table.hpp"
#include "apps/graph/reader_types.hpp"
#include "far/far.hpp"

namespace far::apps {

/// What defines the vertices besides the edges.
struct vertex_source {
  std::optional<graph_header> header;               ///< if present, the edges' ids are in its range
  std::optional<std::vector<std::int64_t>> listed;  ///< this rank's part of the list of vertices
};

class numbering {
 public:
  /// Collective. The vertices are those of the header; else those listed; else the ids in all
  /// ranks' edges.
  /// Cost: dense ids take one allreduce of a bit per id; scattered ones two or three rounds of
  /// alltoallv.
  numbering(world& world, const edge_store& edges, const vertex_source& source);

  [[nodiscard]] std::uint64_t vertices() const { return vertices_; }

  /// The first id in this rank's edges that is not listed, if there is one.
  [[nodiscard]] const std::optional<std::int64_t>& unknown_id() const { return unknown_; }

  /// Replaces ids by numbers. The edges must be those of the constructor.
  void rename(edge_store& edges) const;

  /// Collective: the ids of the vertices [starts[r], starts[r + 1]) on rank r, ascending.
  [[nodiscard]] std::vector<std::int64_t> ids_of(world& world,
                                                 const std::vector<std::uint64_t>& starts) const;

 private:
  enum class way : std::uint8_t { consecutive, dense, scattered };

  void number_dense(world& world, const edge_store& edges, const vertex_source& source,
                    std::int64_t first, std::uint64_t width);
  void number_scattered(world& world, const edge_store& edges, const vertex_source& source);

  way way_ = way::consecutive;
  std::uint64_t vertices_ = 0;
  std::optional<std::int64_t> unknown_;
  std::int64_t first_id_ = 0;        // consecutive
  id_set set_;                       // dense
  id_table table_;                   // scattered: the ids in this rank's edges
  std::vector<std::int64_t> slice_;  // scattered: this rank's part of all ids, sorted
  std::uint64_t slice_first_ = 0;    // number of slice_[0]
};

}  // namespace far::apps
