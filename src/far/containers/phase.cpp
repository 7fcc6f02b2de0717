#include "far/containers/phase.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/team/team.hpp"

namespace far::containers {
namespace {

const char* name_of(phase_kind what) noexcept {
  switch (what) {
    case phase_kind::writing:
      return "writing()";
    case phase_kind::reading:
      return "reading()";
    case phase_kind::mixed:
      break;
  }
  return "a view for any time";
}

/// The lowest rank that begins each kind of phase, or the number of ranks if there is none.
struct beginners {
  int writing;
  int reading;
};

}  // namespace

void begin_phase(const world& world, phase_kind what, const char* type) {
  barrier(world);
  if constexpr (base::debug_checks) {
    const int no_rank = world.size();
    const bool writes = what == phase_kind::writing;
    const beginners mine{writes ? world.rank() : no_rank, writes ? no_rank : world.rank()};
    const beginners first = allreduce(world, mine, [](const beginners& a, const beginners& b) {
      return beginners{std::min(a.writing, b.writing), std::min(a.reading, b.reading)};
    });
    if (first.writing == no_rank || first.reading == no_rank) return;
    throw bad_argument(
        fmt::format("{}: rank {} begins a phase by writing(), rank {} one by reading(): all ranks "
                    "begin the same",
                    type, first.writing, first.reading));
  }
}

void phase_record::report_broken(phase_kind now, phase_kind asks, int rank,
                                 const char* type) noexcept {
  const auto text = fmt::format(
      "broken promise: rank {} uses a {} by {}, in a phase that all ranks began by {}: until the "
      "phase ends, use it by the view of the phase only",
      rank, type, name_of(asks), name_of(now));
  base::check_failed(__FILE__, __LINE__, text.c_str());
}

}  // namespace far::containers
