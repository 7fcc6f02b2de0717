#include "apps/mg/blocks.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::apps::mg {
namespace {

/// Part `i` of n cells in `parts` parts whose sizes differ by at most 1, some levels below.
range part(int n, int parts, int i, int coarser) {
  const auto begin = [&](int j) {
    return static_cast<int>(std::int64_t{n} * j / parts) >> coarser;
  };
  return {begin(i), begin(i + 1)};
}

bool all_nonempty(int n, int parts, int coarser) {
  for (int i = 0; i < parts; ++i) {
    if (part(n, parts, i, coarser).size() == 0) return false;
  }
  return true;
}

}  // namespace

block_grid::block_grid(int n, int ranks) : blocks_z_(0), blocks_y_(0), n_(n) {
  // The number of rows of a block that its neighbors need; of equal ones, more cuts in z, whose
  // planes are contiguous.
  std::int64_t least = 0;
  for (int y = 1; y <= ranks && y <= n; ++y) {
    const int z = ranks / y;
    if (ranks % y != 0 || z > n) continue;
    const auto longest = [&](int parts) { return std::int64_t{(n + parts - 1) / parts}; };
    const std::int64_t surface = (z > 1 ? longest(y) : 0) + (y > 1 ? longest(z) : 0);
    if (blocks_z_ != 0 && surface >= least) continue;
    least = surface;
    blocks_z_ = z;
    blocks_y_ = y;
  }
  if (blocks_z_ == 0) {
    throw bad_argument(fmt::format(
        "far-mg: {1} ranks cannot share a cube of {0} x {0} rows; the number of ranks must be a "
        "product of two numbers up to {0}",
        n, ranks));
  }
}

range block_grid::planes(int rank, int coarser) const {
  return part(n_, blocks_z_, rank / blocks_y_, coarser);
}

range block_grid::rows(int rank, int coarser) const {
  return part(n_, blocks_y_, rank % blocks_y_, coarser);
}

bool block_grid::all_have_cells(int coarser) const {
  return all_nonempty(n_, blocks_z_, coarser) && all_nonempty(n_, blocks_y_, coarser);
}

int block_grid::neighbor(int rank, direction d) const noexcept {
  const int z = (rank / blocks_y_ + d.dz + blocks_z_) % blocks_z_;
  const int y = (rank % blocks_y_ + d.dy + blocks_y_) % blocks_y_;
  return z * blocks_y_ + y;
}

}  // namespace far::apps::mg
