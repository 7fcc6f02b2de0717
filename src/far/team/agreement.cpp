#include "far/team/agreement.hpp"

#include <algorithm>
#include <exception>

#include "far/team/barrier.hpp"
#include "far/team/reduce.hpp"

namespace far::detail {
namespace {

/// Lowest and highest of what the ranks have.
struct bounds {
  std::uint64_t low;
  std::uint64_t high;
};

}  // namespace

bool all_agree(const world& view, std::uint64_t mine) {
  const bounds all = allreduce(view, bounds{mine, mine}, [](const bounds& a, const bounds& b) {
    return bounds{std::min(a.low, b.low), std::max(a.high, b.high)};
  });
  return all.low == all.high;
}

void leave_together(const world& view, int exceptions_before) noexcept {
  if (std::uncaught_exceptions() > exceptions_before) return;
  try {
    barrier(view);
  } catch (const std::exception&) {
    // The job has failed; the program learns of it at its next call.
  }
}

}  // namespace far::detail
