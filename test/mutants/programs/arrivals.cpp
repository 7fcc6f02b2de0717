// A barrier with one counter, which the last rank resets before it releases the others.

#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/signal.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

void arrivals(world& w) {
  constexpr std::uint64_t rounds = 6;
  const atomic_ref<std::uint64_t> arrived(w, allocate<std::uint64_t>(w).on(0));
  const auto go = allocate<std::uint64_t>(w);
  w.fabric().quiesce(w.context());
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (arrived.fetch_add(1) + 1 == static_cast<std::uint64_t>(w.size())) {
      arrived.store(0);
      for (int rank = 0; rank < w.size(); ++rank) notify(w, signal_of(go.on(rank), round));
    }
    check(wait_signal(w, go, at_least{round}) == round, "somebody was left behind");
  }
}

const program the_arrivals("arrivals", {.ranks = 3}, arrivals);

}  // namespace
}  // namespace far::mutants
