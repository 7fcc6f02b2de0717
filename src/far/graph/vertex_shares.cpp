#include "far/graph/vertex_shares.hpp"

#include <algorithm>
#include <bit>

#include "far/team/team.hpp"

namespace far::graphs {

vertex_shares::vertex_shares(int ranks, std::uint64_t vertices)
    : vertices_(vertices), ranks_(static_cast<std::uint64_t>(ranks)) {
  const std::uint64_t width = std::bit_ceil(vertices / (ranks_ * 1024) + 1);
  shift_ = std::countr_zero(width);
  work_.assign((vertices >> shift_) + 1, 0);
}

void vertex_shares::divide(const world& world) {
  allreduce(world, work_);
  const std::uint64_t width = std::uint64_t{1} << shift_;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const std::uint64_t begin = i * width;
    work_[i] += 2 * (std::min(vertices_, begin + width) - begin);
    total += work_[i];
  }
  starts_.assign(1, 0);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < work_.size() && starts_.size() < ranks_; ++i) {
    // Cut at the boundary that is nearest to the rank's share.
    while (starts_.size() < ranks_ && sum + work_[i] / 2 >= total * starts_.size() / ranks_) {
      starts_.push_back(std::min(i * width, vertices_));
    }
    sum += work_[i];
  }
  starts_.resize(ranks_, vertices_);
  starts_.push_back(vertices_);
  owners_.resize(work_.size());
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const auto after = std::upper_bound(starts_.begin(), starts_.end() - 1, i * width);
    owners_[i] = static_cast<std::uint32_t>(after - starts_.begin()) - 1;
  }
}

}  // namespace far::graphs
