#pragma once
// How the vertices are divided among the ranks.

#include <cstdint>
#include <vector>

#include "far/world/world.hpp"

namespace far::graphs {

/// Divides the vertices into one range per rank with about equal work: an arc costs one unit, a
/// vertex two, because an iteration reads and writes each vertex. Ranges begin at multiples of a
/// width, so that a vertex's owner is found by its quotient. Every rank makes an equal object.
class vertex_shares {
 public:
  /// For `vertices` vertices without arcs so far.
  vertex_shares(int ranks, std::uint64_t vertices);

  /// Counts an arc of a vertex.
  void count(std::uint64_t vertex) { ++work_[vertex >> shift_]; }
  void count(std::uint64_t vertex, std::uint64_t arcs) { work_[vertex >> shift_] += arcs; }

  /// Collective: adds up all ranks' counts, and divides.
  void divide(const world& world);

  /// The first vertex of each rank, and the number of vertices.
  [[nodiscard]] const std::vector<std::uint64_t>& starts() const { return starts_; }

  /// The rank that owns a vertex.
  [[nodiscard]] std::uint32_t owner_of(std::uint64_t vertex) const {
    return owners_[vertex >> shift_];
  }

 private:
  std::uint64_t vertices_;
  std::uint64_t ranks_;
  int shift_ = 0;
  std::vector<std::uint64_t> work_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> owners_;
};

}  // namespace far::graphs
