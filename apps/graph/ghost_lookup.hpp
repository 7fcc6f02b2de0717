#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace far::apps {

/// Finds ghosts by their numbers: buckets of equal ranges of numbers, about one per ghost, and a
/// search in a bucket. Threads: reentrant.
class ghost_lookup {
 public:
  /// `ghosts` ascend, are below `vertices`, and outlive this.
  ghost_lookup(std::span<const std::uint64_t> ghosts, std::uint64_t vertices) : ghosts_(ghosts) {
    while ((vertices >> shift_) > ghosts.size() + 1) ++shift_;
    starts_.assign((vertices >> shift_) + 2, 0);
    for (const std::uint64_t ghost : ghosts) ++starts_[(ghost >> shift_) + 1];
    for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
  }

  /// The index of a ghost, or nothing if this number is none.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t number) const {
    const std::uint64_t bucket = number >> shift_;
    const auto end = ghosts_.begin() + starts_[bucket + 1];
    const auto at = std::lower_bound(ghosts_.begin() + starts_[bucket], end, number);
    if (at == end || *at != number) return std::nullopt;
    return static_cast<std::uint32_t>(at - ghosts_.begin());
  }

 private:
  std::span<const std::uint64_t> ghosts_;
  int shift_ = 0;
  std::vector<std::uint32_t> starts_;  // by bucket: index of its first ghost
};

}  // namespace far::apps
