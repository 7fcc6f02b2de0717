#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/sim/event.hpp"

namespace far::fabric::sim {

/// The time at which the next atomic may take place, for each word. Only future times matter: the
/// slots of words whose time has passed are reused.
class busy_words {
 public:
  /// Returns the time at which `word` (an address's bits, not 0) becomes free, for one more atomic
  /// to update; `now` for a word that is not known. `now` must not decrease between calls.
  picoseconds& free_at(std::uint64_t word, picoseconds now);

 private:
  struct place {
    std::uint64_t word = 0;  // 0: never used
    picoseconds free = 0;
  };

  void grow(picoseconds now);

  // Open addressing. A search ends at a slot that was never used, so at least half are unused.
  std::vector<place> places_ = std::vector<place>(1024);  // a power of two
  std::size_t used_ = 0;
};

}  // namespace far::fabric::sim
