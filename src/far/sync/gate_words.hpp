#pragma once
// The memory of a reader_gate.

#include <cstdint>
#include <vector>

#include "far/sync/reader_gate.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// The ranks whose counters are used, ascending: every so many-th. 0: the first of each machine;
/// but where all ranks share memory, eight, for there a writer goes to a counter in nanoseconds,
/// and what costs readers most is the line that they take from each other.
[[nodiscard]] std::vector<int> counter_homes(const world& view, int counter_every);

/// A counter on each rank, of which some are used.
class gate_words {
 public:
  /// Collective. `counter_every`: as above. `how`: a shape without places.
  /// Errors: bad_argument for numbers that cannot be; out_of_memory; rank_failed.
  gate_words(const world& view, int counter_every, const gate_shape& how);
  /// After all ranks have left together.
  ~gate_words();
  gate_words(const gate_words&) = delete;
  gate_words& operator=(const gate_words&) = delete;

  [[nodiscard]] const gate_shape& shape() const noexcept { return shape_; }

 private:
  world view_;
  gate_shape shape_;
};

}  // namespace far::sync
