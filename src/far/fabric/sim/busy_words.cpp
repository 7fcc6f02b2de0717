#include "far/fabric/sim/busy_words.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "far/base/random.hpp"

namespace far::fabric::sim {

picoseconds& busy_words::free_at(std::uint64_t word, picoseconds now) {
  if (2 * used_ >= places_.size()) grow(now);
  const std::size_t mask = places_.size() - 1;
  place* over = nullptr;  // the first slot whose time has passed
  for (std::size_t i = base::mix(word) & mask;; i = (i + 1) & mask) {
    place& p = places_[i];
    if (p.word == word) return p.free;
    if (p.word == 0) {
      if (over == nullptr) {
        over = &p;
        ++used_;
      }
      break;
    }
    if (over == nullptr && p.free <= now) over = &p;
  }
  *over = {word, now};
  return over->free;
}

void busy_words::grow(picoseconds now) {
  const std::vector<place> old = std::move(places_);
  const auto busy = static_cast<std::size_t>(
      std::count_if(old.begin(), old.end(), [now](const place& p) { return p.free > now; }));
  places_ = std::vector<place>(std::max(std::size_t{1024}, std::bit_ceil(4 * busy)));
  used_ = 0;
  for (const place& p : old) {
    if (p.free > now) free_at(p.word, now) = p.free;
  }
}

}  // namespace far::fabric::sim
