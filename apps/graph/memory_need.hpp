#pragma once
// What a graph needs of the machine's memory, checked before it is allocated.

#include <cstdint>
#include <string>
#include <string_view>

#include "far/far.hpp"

namespace far::apps {

/// Bytes that a graph takes at the peak of its construction.
struct graph_size {
  double vertices = 0;
  double edges = 0;
  bool both_ways = false;  ///< each edge is stored in two arcs, or once for either end
  bool weighted = false;

  [[nodiscard]] double bytes() const;
};

/// The memory of this machine, as it was before the graph was loaded.
class memory_budget {
 public:
  explicit memory_budget(const world& world);
  /// For tests: a machine with so much free memory and this share of the job's ranks.
  memory_budget(double free_bytes, double share) : free_(free_bytes), share_(share) {}

  /// Throws input_error, which says how much is missing, if this machine's share of `size` is more
  /// than its memory. `what`: the part of the message before ", which take about".
  /// `correct`: what a user may correct, or empty.
  void check(const std::string& path, const graph_size& size, std::string_view what,
             std::string_view correct) const;

 private:
  double free_;
  double share_;  // ranks on this machine, of all
};

}  // namespace far::apps
