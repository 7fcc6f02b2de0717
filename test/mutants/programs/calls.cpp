// Remote calls: what their sender may rely on, and what their functions may do.

#include <algorithm>

#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/rpc.hpp"
#include "far/team/barrier.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

/// Counts the calls that have run at this rank.
struct tally {
  explicit tally(rank_state&) {}
  std::uint64_t calls = 0;
  std::uint64_t latest = 0;
};

void one_way(world& w) {
  constexpr std::uint64_t rounds = 6;
  constexpr std::uint64_t times = 4;
  auto& seen = w.state().get<tally>().calls;
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    for (std::uint64_t i = 0; i < times; ++i) {
      rpc_oneway(w, 1 - w.rank(), [](rank_state& state) { ++state.get<tally>().calls; });
    }
    quiesce(w);
    check(seen == round * times, "calls had not run yet");
    barrier(w);
  }
}

void latest(world& w) {
  constexpr std::uint64_t versions = 4;
  for (std::uint64_t version = 1; version <= versions && w.rank() == 0; ++version) {
    rpc_oneway(
        w, 1,
        [](rank_state& state, std::uint64_t told) {
          auto& seen = state.get<tally>().latest;
          seen = std::max(seen, told);
        },
        version);
  }
  quiesce(w);
  check(w.state().get<tally>().latest == (w.rank() == 1 ? versions : 0),
        "the version is not the latest one");
}

/// Makes the next rank write to the one after it.
void deputy(world& w) {
  const auto cells = allocate<std::uint64_t>(w, static_cast<std::uint64_t>(w.size()));
  barrier(w);
  const auto cell = cells.on((w.rank() + 2) % w.size()) + w.rank();
  rpc(
      w, (w.rank() + 1) % w.size(),
      [](world& there, ptr<std::uint64_t> to) { return put_async(there, to, 7u); }, cell)
      .get();
  check(get(w, cell) == 7, "the deputy has not written");
}

const program the_one_way("one_way", {.ranks = 2}, one_way);
const program the_latest("latest", {.ranks = 2}, latest);
const program the_deputy("deputy", {.ranks = 4}, deputy);

}  // namespace
}  // namespace far::mutants
