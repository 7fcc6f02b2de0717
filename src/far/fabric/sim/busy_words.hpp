#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/sim/event.hpp"

namespace far::fabric::sim {

/// When the next atomic may take place at each word. Only times that lie ahead matter: the places
/// of words whose time has come are used for others.
class busy_words {
 public:
  /// For one more atomic at `word` (an address's bits, not 0): when the word is free, if that is
  /// after `now`. `now` does not go back.
  picoseconds& free_at(std::uint64_t word, picoseconds now);

 private:
  struct place {
    std::uint64_t word = 0;  // 0: never used
    picoseconds free = 0;
  };

  void make_room(picoseconds now);

  // Open addressing. A search ends at a place that was never used, so at least half are such.
  std::vector<place> places_ = std::vector<place>(1024);  // a power of two
  std::size_t used_ = 0;
};

}  // namespace far::fabric::sim
