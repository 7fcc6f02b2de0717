#include "far/containers/promise.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/team/team.hpp"

namespace far::containers {
namespace {

const char* name_of(promised what) noexcept {
  switch (what) {
    case promised::only_changes:
      return "writing()";
    case promised::only_looks:
      return "reading()";
    case promised::anything:
      break;
  }
  return "a view for any time";
}

/// Ranks that begin one phase and the other, or the number of ranks where none does.
struct beginners {
  int writing;
  int reading;
};

}  // namespace

void begin_phase(const world& view, promised what, const char* type) {
  barrier(view);
  if constexpr (base::debug_checks) {
    const int nobody = view.size();
    const bool writes = what == promised::only_changes;
    const beginners mine{writes ? view.rank() : nobody, writes ? nobody : view.rank()};
    const beginners first = allreduce(view, mine, [](const beginners& a, const beginners& b) {
      return beginners{std::min(a.writing, b.writing), std::min(a.reading, b.reading)};
    });
    if (first.writing == nobody || first.reading == nobody) return;
    throw bad_argument(
        fmt::format("{}: rank {} begins a phase by writing(), rank {} one by reading(): all ranks "
                    "begin the same",
                    type, first.writing, first.reading));
  }
}

void phase_record::tell_broken(promised now, promised asks, int rank, const char* type) noexcept {
  const auto text = fmt::format(
      "a broken promise: rank {} uses a {} by {}, while it and all other ranks are in a phase that "
      "they began by {}, in which they use it by that view only",
      rank, type, name_of(asks), name_of(now));
  base::check_failed(__FILE__, __LINE__, text.c_str());
}

}  // namespace far::containers
