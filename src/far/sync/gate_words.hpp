#pragma once
// The memory of a reader_gate.

#include <cstdint>
#include <vector>

#include "far/sync/reader_gate.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// The ranks whose counters are used, in ascending order: every `counter_every`-th rank. 0: the
/// first rank of each machine; but if all ranks share memory, eight ranks. There a writer reaches a
/// counter in nanoseconds, and the main cost for readers is the cache line that they take from each
/// other.
[[nodiscard]] std::vector<int> counter_homes(const world& world, int counter_every);

/// A counter on each rank, some of which are used.
class gate_words {
 public:
  /// Collective. `counter_every`: as above. `how`: a shape whose counters, homes and own are not
  /// set.
  /// Errors: bad_argument for invalid numbers; out_of_memory; rank_failed.
  gate_words(const world& world, int counter_every, const gate_shape& how);
  /// Call it after all ranks have left together.
  ~gate_words();
  gate_words(const gate_words&) = delete;
  gate_words& operator=(const gate_words&) = delete;

  [[nodiscard]] const gate_shape& shape() const noexcept { return shape_; }

 private:
  world world_;
  gate_shape shape_;
};

}  // namespace far::sync
