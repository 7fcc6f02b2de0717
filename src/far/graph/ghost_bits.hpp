#pragma once
// A bit of each ghost, from its owner, once per round.

#include <cstdint>
#include <span>
#include <vector>

#include "far/graph/bit_pieces.hpp"
#include "far/graph/csr_graph.hpp"
#include "far/graph/ghost_routes.hpp"
#include "far/graph/landing.hpp"
#include "far/world/world.hpp"

namespace far::graphs {

/// As ghost_exchange, with a bit for each vertex, so that the bits of all columns fit the
/// processor's cache. The same invariant holds.
class ghost_bits {
 public:
  ghost_bits(const world& world, const csr_graph& graph);

  /// Ends a round. `own`: a bit for each own vertex; bits beyond these are 0.
  /// Cost: one put and one signal per neighbour, a bit for each vertex that it needs.
  void bring(std::span<const std::uint64_t> own);

  /// The bit of a column, as of the last bring.
  [[nodiscard]] bool operator[](std::uint32_t column) const noexcept {
    return (bits_[column / 64] >> column % 64 & 1) != 0;
  }
  /// All of them.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return bits_; }

 private:
  std::uint64_t own_;
  ghost_routes routes_;
  landing<std::uint64_t> landing_;
  struct piece {
    chosen_bits wanted;
    std::vector<std::uint64_t> packed;
  };
  std::vector<piece> pieces_;        // for each neighbour
  std::vector<std::uint64_t> bits_;  // by column
};

}  // namespace far::graphs
