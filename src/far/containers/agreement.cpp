#include "far/containers/agreement.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/team/team.hpp"

namespace far::containers {
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

void agree_on_object(const world& view, object_id id, std::string_view type) {
  if (!all_agree(view, base::hash_combine(base::hash_bytes(type.data(), type.size()), id))) {
    throw bad_argument(
        fmt::format("rank {} makes object {} of its kind here, but other ranks make another one: "
                    "distributed objects are made by all ranks in the same order",
                    view.rank(), id));
  }
}

void leave_together(const world& view, int exceptions_before) noexcept {
  if (std::uncaught_exceptions() > exceptions_before) return;
  try {
    barrier(view);
  } catch (const std::exception&) {
    // The job has failed; the program learns of it at its next call.
  }
}

}  // namespace far::containers
