#pragma once
// Numbers the vertices of a graph whose ids are any 64-bit integers: a vertex's number is the
// position of its id in the sorted order of all ids, found by a distributed sample sort.

#include <cstdint>
#include <optional>
#include <vector>

#include "apps/graph/reader_types.hpp"
#include "far/far.hpp"

namespace far::apps {

/// One rank's part of the numbering.
struct numbering {
  std::uint64_t vertices = 0;          ///< of the whole graph
  std::uint64_t first = 0;             ///< number of slice[0]
  std::vector<std::int64_t> slice;     ///< this rank's part of all ids, sorted
  std::vector<std::int64_t> ids;       ///< the ids in this rank's edges, sorted
  std::vector<std::uint64_t> numbers;  ///< numbers[i] is the number of ids[i]

  /// Number of an id that occurs in this rank's edges.
  [[nodiscard]] std::uint64_t of(std::int64_t id) const;
};

/// Collective. The vertices are the ids in all ranks' edges, or 1..n for a matrix.
/// Cost: two rounds of alltoallv; O(m log m) for the m edges of a rank.
numbering number_vertices(world& world, const std::vector<edge>& edges,
                          const std::optional<matrix_header>& matrix);

}  // namespace far::apps
