#include "far/fabric/sim/explore/pct.hpp"

#include <algorithm>
#include <functional>

namespace far::fabric::sim {
namespace {

// Three bands of priorities: at the top the initial ones, then those of fibers that ran alone for
// too long, then those that the changes assign.
constexpr std::uint64_t own_band = std::uint64_t{1} << 63;
constexpr std::uint64_t behind_band = std::uint64_t{1} << 62;
constexpr int max_in_a_row = 50;

}  // namespace

pct_driver::pct_driver(std::uint64_t seed, int depth, std::uint64_t length)
    : random_(base::mix(seed ^ 0x9c7)), salt_(random_()), length_(length), behind_(behind_band) {
  if (length_ == 0) length_ = std::uint64_t{32} << random_.below(9);
  for (int i = 1; i < depth; ++i) changes_.push_back(random_.below(length_));
  std::sort(changes_.begin(), changes_.end(), std::greater<>());
}

std::uint64_t pct_driver::priority(key who) const noexcept {
  const auto known = lowered_.find(who);
  return known != lowered_.end() ? known->second : own_band | base::mix(salt_ + who);
}

std::size_t pct_driver::next(std::span<const std::uint64_t> events,
                             std::span<const std::uint32_t> fibers) {
  const std::size_t all = events.size() + fibers.size();
  const std::uint64_t step = steps_++;
  if (step >= 2 * length_ + 64) return random_.below(all);
  const auto key_at = [&](std::size_t place) {
    return place < events.size() ? 2 * events[place]
                                 : 2 * std::uint64_t{fibers[place - events.size()]} + 1;
  };
  const auto highest = [&] {
    std::size_t best = 0;
    std::uint64_t max = 0;
    for (std::size_t i = 0; i < all; ++i) {
      const std::uint64_t p = priority(key_at(i));
      if (p > max) best = i, max = p;
    }
    return best;
  };
  std::size_t chosen = highest();
  while (!changes_.empty() && changes_.back() <= step) {
    lowered_[key_at(chosen)] = changes_.size();
    changes_.pop_back();
    chosen = highest();
  }
  in_a_row_ = key_at(chosen) == last_ && all > 1 ? in_a_row_ + 1 : 0;
  if (in_a_row_ > max_in_a_row) {
    lowered_[key_at(chosen)] = --behind_;
    in_a_row_ = 0;
    chosen = highest();
  }
  last_ = key_at(chosen);
  return chosen;
}

}  // namespace far::fabric::sim
