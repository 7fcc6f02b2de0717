#pragma once
// Which rank needs which own vertices of this one: what all transfers between vertices stand on.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/graph/csr_graph.hpp"
#include "far/world/world.hpp"

namespace far::graphs {

/// The ghosts of a graph by their owners, and the own vertices that are ghosts elsewhere.
/// Construction is collective.
class ghost_routes {
 public:
  /// A rank that has own vertices of this one as ghosts.
  struct neighbour {
    int rank;
    std::uint64_t own;                  ///< how many vertices it owns
    std::uint64_t group;                ///< the first of these ghosts there
    std::uint64_t words;                ///< words_before(this rank) there
    std::vector<std::uint32_t> wanted;  ///< own vertices, ascending: those ghosts in order
  };

  ghost_routes(const world& world, const csr_graph& graph);

  [[nodiscard]] const std::vector<neighbour>& neighbours() const noexcept { return neighbours_; }
  [[nodiscard]] std::size_t ranks() const noexcept { return groups_.size() - 1; }
  /// Ghosts [group(r), group(r + 1)) are rank r's vertices.
  [[nodiscard]] std::uint64_t group(std::size_t rank) const { return groups_[rank]; }
  /// How many ranks own ghosts of this one.
  [[nodiscard]] std::uint64_t owners() const noexcept { return owners_; }
  /// The words that the groups before rank r's take with a bit for each ghost, where each group
  /// begins a word.
  [[nodiscard]] std::uint64_t words_before(std::size_t rank) const { return words_[rank]; }

 private:
  std::vector<std::uint64_t> groups_, words_;  // [ranks + 1]
  std::vector<neighbour> neighbours_;
  std::uint64_t owners_ = 0;
};

}  // namespace far::graphs
