#include "far/fabric/sim/explore/driver.hpp"

#include <algorithm>

namespace far::fabric::sim {

random_driver::random_driver(std::uint64_t seed, bool pauses)
    : random_(base::mix(seed)), event_share_(1 + random_.below(15)), pauses_(pauses) {
  if (pauses_) next_pause_ = random_.below(std::uint64_t{1} << random_.below(11));
}

std::size_t random_driver::next(std::span<const std::uint64_t> events,
                                std::span<const std::uint32_t> fibers) {
  ++steps_;
  const bool network = !events.empty() && (fibers.empty() || chance(event_share_, {}));
  if (network) return random_.below(events.size());
  if (!pauses_) return events.size() + random_.below(fibers.size());
  return events.size() + any_fiber(fibers);
}

std::size_t random_driver::any_fiber(std::span<const std::uint32_t> fibers) {
  constexpr std::uint64_t longest_shift = 13;  // 8192 steps
  if (paused_rank_ >= 0 && steps_ >= pause_ends_) {
    paused_rank_ = -1;
    next_pause_ = steps_ + random_.below(std::uint64_t{1} << (4 + random_.below(8)));
  }
  if (paused_rank_ < 0 && steps_ >= next_pause_ && ranks_ > 0) {
    paused_rank_ = static_cast<int>(random_.below(static_cast<std::uint64_t>(ranks_)));
    pause_ends_ = steps_ + (std::uint64_t{16} << random_.below(longest_shift - 3));
  }
  others_.clear();
  for (std::size_t i = 0; i < fibers.size(); ++i) {
    const std::uint32_t f = fibers[i];
    if (f >= ranks_of_.size() || ranks_of_[f] != paused_rank_) others_.push_back(i);
  }
  // No other fiber can continue: end the pause.
  if (others_.empty()) return random_.below(fibers.size());
  return others_[random_.below(others_.size())];
}

void random_driver::belongs(std::uint32_t fiber, int rank) {
  if (fiber >= ranks_of_.size()) ranks_of_.resize(fiber + 1, -1);
  ranks_of_[fiber] = rank;
  ranks_ = std::max(ranks_, rank + 1);
}

}  // namespace far::fabric::sim
