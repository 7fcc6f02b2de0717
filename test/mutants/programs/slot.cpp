// A value of several words with a version, which is odd while the value changes.

#include <algorithm>
#include <array>

#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::uint64_t versions = 6;
using value = std::array<std::uint64_t, 4>;

void write(world& w, const atomic_ref<std::uint64_t>& version, ptr<value> place) {
  for (std::uint64_t n = 1; n <= versions; ++n) {
    value next;
    next.fill(n);
    version.store(2 * n - 1);
    put(w, place, next);
    version.store(2 * n);
  }
}

void read(world& w, const atomic_ref<std::uint64_t>& version, ptr<value> place) {
  fabric::backoff wait;
  for (std::uint64_t before = 0; before < 2 * versions;) {
    before = version.load();
    const value got = get(w, place);
    if (before % 2 != 0 || version.load() != before) {
      before = 0;
      w.context().pause(wait);
      continue;
    }
    check(std::ranges::all_of(got, [&](std::uint64_t word) { return word == before / 2; }),
          "the value is not of its version");
  }
}

void slot(world& w) {
  const auto place = allocate<value>(w).on(0);
  const atomic_ref<std::uint64_t> version(w, allocate<std::uint64_t>(w).on(0));
  w.fabric().quiesce(w.context());
  if (w.rank() == 0) {
    write(w, version, place);
  } else {
    read(w, version, place);
  }
}

const program the_slot("slot", {.ranks = 3}, slot);

}  // namespace
}  // namespace far::mutants
