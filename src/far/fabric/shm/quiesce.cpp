// Termination detection: determines when every message has been handled and none will follow.
//
// Each context counts a message as sent before it sends it. It counts a message as handled after
// everything that the handler started has been counted as sent. A request that expects a reply is
// handled when its requester has the reply. Sources: F. Mattern, Algorithms for distributed
// termination detection, 1987 (the four-counter method): if the sum of all `handled`, read first,
// equals the sum of all `sent`, read after them, nothing was in flight in between. Nothing new
// starts, because every rank is in quiesce. Other operations of lanes' contexts finish inside the
// call on this fabric.

#include <atomic>

#include "far/fabric/shm/rank_context.hpp"
#include "far/fabric/shm/rank_fabric.hpp"

namespace far::fabric::shm {
namespace {

bool all_handled(const region& job) {
  const auto total = [&](std::atomic<std::uint64_t> context_block::*counter) {
    std::uint64_t sum = 0;
    for (int rank = 0; rank < job.shape().ranks; ++rank) {
      for (const context_block& block : job.rank(rank).contexts) {
        sum += (block.*counter).load(std::memory_order_acquire);
      }
    }
    return sum;
  };
  const std::uint64_t handled = total(&context_block::handled);
  return handled == total(&context_block::sent);
}

}  // namespace

void rank_fabric::quiesce(context& caller) {
  in_quiesce_.store(true, std::memory_order_seq_cst);
  if (uplink_ != nullptr) {
    uplink_->quiesce(caller);
    in_quiesce_.store(false, std::memory_order_seq_cst);
    return;
  }
  job_header& header = job_->header();
  const std::uint64_t mine = ++quiesces_;
  const std::uint64_t all = mine * static_cast<std::uint64_t>(size());
  // The last to arrive looks for all, if it can: whoever looks maps pages of every rank (join).
  if (header.quiesce_arrived.fetch_add(1, std::memory_order_seq_cst) + 1 == all) {
    if (all_handled(*job_)) header.quiesce_done.store(mine, std::memory_order_seq_cst);
    wake_all(*job_);
  }
  caller.wait(
      [&] {
        if (header.quiesce_done.load(std::memory_order_seq_cst) >= mine) return true;
        if (header.quiesce_arrived.load(std::memory_order_seq_cst) < all || !all_handled(*job_)) {
          return false;
        }
        // The first to detect it publishes it, because ranks may send again before all have
        // checked the counters.
        header.quiesce_done.store(mine, std::memory_order_seq_cst);
        wake_all(*job_);
        return true;
      },
      never, {"quiesce", -1, {}});
  in_quiesce_.store(false, std::memory_order_seq_cst);
}

}  // namespace far::fabric::shm
