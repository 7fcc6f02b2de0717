#include "far/team/agreement.hpp"

#include <algorithm>

#include "far/team/reduce.hpp"

namespace far::detail {
namespace {

/// Min and max of the ranks' numbers.
struct bounds {
  std::uint64_t low;
  std::uint64_t high;
};

}  // namespace

bool all_agree(const world& world, std::uint64_t mine) {
  const bounds all = allreduce(world, bounds{mine, mine}, [](const bounds& a, const bounds& b) {
    return bounds{std::min(a.low, b.low), std::max(a.high, b.high)};
  });
  return all.low == all.high;
}

}  // namespace far::detail
