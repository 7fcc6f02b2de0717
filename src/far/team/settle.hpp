#pragma once
// Waits until all calls of aggregators have run on all ranks.

#include <array>
#include <span>

#include "far/rpc/aggregator.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

void settle(const world& world, std::span<batch_sender* const> senders);

}  // namespace detail

/// Collective: flushes the aggregators until all their calls have run on all ranks, including the
/// calls that functions made by pass_on of any of these aggregators, and so on, however long the
/// chain. Each rank passes its own aggregators. Functions of one kind of aggregator may call those
/// of another; pass all kinds that do so in one call of settle.
///
/// Completion: no rank returns before all these calls have run.
/// Progress: made meanwhile. Threads: one per rank at a time.
/// Cost: for each round a flush, a barrier and an allreduce; at most one round more than the
/// longest chain of calls passed on has links. Errors: rank_failed; the first exception that
/// a call of this rank threw, when all have settled. Checked by: settle_test.chains_have_ended,
/// settle_test.failures_come_at_the_end
template <class... Aggregators>
void settle(const world& world, Aggregators&... aggregators) {
  const std::array<detail::batch_sender*, sizeof...(Aggregators)> senders{&aggregators.sender()...};
  detail::settle(world, senders);
}

}  // namespace far
