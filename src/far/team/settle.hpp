#pragma once
// When all that aggregators were given has run, on all ranks.

#include <array>
#include <span>

#include "far/rpc/aggregator.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

void settle(const world& view, std::span<batch_sender* const> senders);

}  // namespace detail

/// Collective: flushes the aggregators, of which each rank names its own, until all their calls
/// have run on all ranks: also those that functions passed on by any of these, and on from there,
/// however far. An aggregator of one rank may pass on for that of another kind elsewhere; all that
/// feed each other are named together.
///
/// Completion: as said; until then no rank leaves.
/// Progress: made meanwhile. Threads: one per rank at a time.
/// Cost: for each round a flush, a barrier and an allreduce; at most one round more than the
/// longest chain of calls passed on has links. Errors: rank_failed; what functions threw, the first
/// of this rank's calls, when all have settled. Checked by: settle_test.chains_have_ended,
/// settle_test.failures_come_at_the_end
template <class... Aggregators>
void settle(const world& view, Aggregators&... aggregators) {
  const std::array<detail::batch_sender*, sizeof...(Aggregators)> senders{&aggregators.sender()...};
  detail::settle(view, senders);
}

}  // namespace far
