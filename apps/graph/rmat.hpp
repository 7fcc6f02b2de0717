#pragma once
// Recursive-matrix (Kronecker) graphs of the Graph500 benchmark: each level of an edge's two
// numbers falls in one of four quadrants with probabilities .57, .19, .19, .05; then the vertices
// are put in another order, so that the large ones are not all at the front.
// An edge is a function of the seed and of the edge's index, so any rank can make any of them, and
// the graph does not depend on the number of ranks.
// Source: Chakrabarti, Zhan, Faloutsos, "R-MAT: A recursive model for graph mining", SDM 2004.

#include <cstdint>

#include "apps/graph/reader_types.hpp"
#include "far/base/random.hpp"

namespace far::apps {

struct rmat_settings {
  int scale = 0;  ///< 2^scale vertices, 0 .. 2^scale - 1
  std::uint64_t edge_factor = 16;
  std::uint64_t seed = 1;

  static constexpr int max_scale = 40;
  static constexpr std::uint64_t max_edge_factor = std::uint64_t{1} << 20;

  [[nodiscard]] std::uint64_t vertices() const { return std::uint64_t{1} << scale; }
  [[nodiscard]] std::uint64_t edges() const { return edge_factor << scale; }
};

/// Threads: reentrant.
class rmat_generator {
 public:
  explicit rmat_generator(const rmat_settings& settings);

  /// Edge `index`, one of settings.edges().
  [[nodiscard]] edge operator()(std::uint64_t index) const;

 private:
  [[nodiscard]] std::int64_t mixed(std::uint64_t vertex) const;

  static constexpr int rounds = 3;

  int scale_;
  std::uint64_t key_;             // of the edges
  std::uint64_t factor_[rounds];  // of the order of the vertices; odd
  std::uint64_t offset_[rounds];
};

}  // namespace far::apps
