#pragma once
// Trees of one rank's own vertices and ghosts, numbered as columns are.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace far::apps {

/// Union-find. A parent is smaller than its child, so the root of a tree is its smallest column.
/// Not thread-safe.
class column_forest {
 public:
  explicit column_forest(std::size_t columns) : parent_(columns) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  /// Joins the trees of two columns.
  /// Source: Link in M. Sutton, T. Ben-Nun, A. Barak, Optimizing parallel graph connectivity
  /// computation via subgraph sampling, IPDPS 2018, without its atomics.
  void link(std::uint32_t a, std::uint32_t b) {
    a = parent_[a];
    b = parent_[b];
    while (a != b) {
      const std::uint32_t high = std::max(a, b);
      const std::uint32_t low = std::min(a, b);
      const std::uint32_t above = parent_[high];
      if (above == high) {
        parent_[high] = low;
        return;
      }
      a = parent_[above];
      b = parent_[low];
    }
  }

  /// Makes each column's root its parent, which `root` requires. One pass is enough: a parent is
  /// smaller, so it has its root before its children need it.
  void flatten() {
    for (std::uint32_t& parent : parent_) parent = parent_[parent];
  }

  [[nodiscard]] std::uint32_t root(std::size_t column) const { return parent_[column]; }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace far::apps
