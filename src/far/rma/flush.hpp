#pragma once
// Flush: makes this thread's earlier operations, blocking or not, visible at their targets.

#include <cstdint>
#include <type_traits>

#include "far/rma/composite.hpp"
#include "far/rma/direct.hpp"
#include "far/rma/operation.hpp"
#include "far/rma/promise.hpp"
#include "far/world/world.hpp"

namespace far {

namespace rma {

/// Flushes a rank or all. On coherent memory that is the fence of instructions<Word>.
template <class Word>
inline void flush_words(const world& world, int rank) {
  if (detail::has_composites(world.context())) [[unlikely]] {
    detail::complete_composites(world.context(), rank);
  }
  if (world.fabric().coherent()) {
    instructions<Word>::full_fence();
  } else {
    world.context().flush(rank);
  }
}

}  // namespace rma

/// Returns when this thread's earlier operations on `rank` are visible to all ranks. No operation
/// issued later is performed before them. Only a flush orders a get after an earlier put.
///
/// Completion: remote, of all operations that this view's context has started: puts, atomics,
///   transfers of sections by whatever protocol; gets have their values. Not of messages. Futures
///   that were dropped count, too; what such an operation would have thrown is lost.
/// Progress: made meanwhile; what a processor of the target performs needs progress there.
/// Threads: other threads' operations are not awaited.
/// Cost: one fence on coherent memory; else the way there and back.
/// Errors: rank_failed; far::error in continuations and functions that another rank has called, if
///   it would have to wait there.
/// Checked by: flush_test.store_buffering_is_forbidden, flush_test.gets_are_complete,
/// sections_flush_test.completes_dropped_transfers
inline void flush(const world& world, int rank) { rma::flush_words<std::uint64_t>(world, rank); }

/// Flushes all ranks.
/// Checked by: flush_test.store_buffering_is_forbidden
inline void flush(const world& world) { flush(world, fabric::all_ranks); }

/// Flushes all ranks for all threads of this rank that have a context: what they had started
/// before, in the sense of axiom 11, is complete, too. Their views need not be free, and they do
/// not take part. Transfers of sections, and futures of accumulates, of other threads are not
/// awaited. Cost: as flush. Checked by: thread_context_test.quiet_is_of_all_threads
inline void quiet(const world& world) {
  if (detail::has_composites(world.context())) [[unlikely]] {
    detail::complete_composites(world.context(), fabric::all_ranks);
  }
  if (world.fabric().coherent()) {
    rma::instructions<std::uint64_t>::full_fence();
  } else {
    world.context().flush(fabric::every_context);
  }
}

/// Non-blocking: a future that is ready when flush would return. Operations that are started
/// before it is ready are neither awaited nor ordered.
/// Checked by: flush_test.futures_of_flush, sections_flush_test.futures_of_flush
[[nodiscard]] inline future<void> flush_async(const world& world, int rank = fabric::all_ranks) {
  fabric::context& context = world.context();
  const auto start = [&] {
    if (world.fabric().coherent()) {
      rma::instructions<std::uint64_t>::full_fence();
      return ready_future(world);
    }
    return rma::launch<void>(detail::make_state<rma::transfer>(context, "flush", rank),
                             [&](rma::transfer& op) { context.flush(rank, &op); });
  };
  if (!detail::has_composites(context)) [[likely]]
    return start();
  return detail::with_composites(world, rank, start());
}

}  // namespace far
