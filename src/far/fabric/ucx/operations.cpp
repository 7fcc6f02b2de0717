// Records of operations in flight, from the start to the completion.

#include <algorithm>
#include <memory>
#include <utility>

#include "far/base/check.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {

operation& link::begin(int context, int rank, completion* done) {
  if (free_.empty()) {
    operation* told = retired_.exchange(nullptr, std::memory_order_acquire);
    for (; told != nullptr; told = told->next) free_.push_back(told->index);
  }
  if (free_.empty()) {
    operation& made = table_.emplace_back();
    made.home = this;
    made.index = static_cast<std::uint32_t>(table_.size() - 1);
    free_.push_back(made.index);
  }
  operation& op = table_[free_.back()];
  free_.pop_back();
  context_state& state = states_[static_cast<std::size_t>(context)];
  state.outstanding.fetch_add(1, std::memory_order_relaxed);
  ++op.serial;
  op.generation = state.generation.load(std::memory_order_relaxed);
  op.done = done;
  op.fetched = nullptr;
  op.to = nullptr;
  op.bytes = 0;
  op.parts = 0;
  op.context = context;
  op.rank = rank;
  op.answered = false;
  op.booked = false;
  op.then = nullptr;
  if (done != nullptr) done->begin();
  // An operation that a lane starts counts as a message in flight (shm/quiesce.cpp).
  if (context >= max_contexts) {
    count(own_block().contexts[static_cast<std::size_t>(context)].sent);
  }
  return op;
}

void link::count(std::atomic<std::uint64_t>& counter) noexcept {
  // The counter has one writer: the thread that holds the lane.
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void link::await_answer(operation& op) {
  op.answered = true;
  ++op.parts;
  enter_ledger(op);
}

/// Makes flushes of its rank await the operation.
void link::enter_ledger(operation& op) {
  op.booked = true;
  op.epoch = states_[static_cast<std::size_t>(op.context)].ledgers[op.rank].begin();
}

void link::part_ended(operation& op) {
  FAR_CHECK(op.parts > 0, "an operation ended twice");
  --op.parts;
  complete(op);
}

/// Ends an operation, unless parts of it are in flight.
void link::complete(operation& op) {
  if (op.parts > 0) return;
  if (op.then != nullptr) start_then(op);
  finish(op);
}

void link::finish(operation& op) {
  op.answered = false;
  const bool is_booked = std::exchange(op.booked, false);
  const std::int32_t context = op.context;
  const std::int32_t rank = op.rank;
  const std::uint64_t epoch = op.epoch;
  context_state& state = states_[static_cast<std::size_t>(context)];
  // Here, and not by the context's thread: a flush of every context may tell another thread.
  const bool forgotten =
      is_over() || op.generation != state.generation.load(std::memory_order_relaxed);
  if (!forgotten && op.fetched != nullptr) store_fetched(op.result, op.fetched, op.fetched_bytes);
  operation* newest = state.ended.load(std::memory_order_relaxed);
  do {
    op.next = newest;
  } while (!state.ended.compare_exchange_weak(newest, &op, std::memory_order_seq_cst));
  // Now the context may tell of its end and retire it. It tells of a flush that waited for it
  // later.
  if (is_booked) {
    state.ledgers[rank].end(epoch, [this](operation* flush) { part_ended(*flush); });
  }
  if (context < max_contexts) {
    shm::wake_context(own_block(), context);
  } else {
    shm::wake_one(own_block());
  }
}

/// Accepts an answer from the wire, with the bytes that the operation expects, if any. Returns
/// false if no such operation is open.
bool link::answered(const packet_header& packet, payload bytes) {
  const auto index = static_cast<std::uint32_t>(packet.operation);
  if (index >= table_.size()) return false;
  operation& op = table_[index];
  if (!op.answered || op.wire_name() != packet.operation || op.rank != packet.source ||
      bytes.size() != op.bytes) {
    return false;
  }
  op.result = packet.value;
  const context_state& state = states_[static_cast<std::size_t>(op.context)];
  const bool forgotten =
      is_over() || op.generation != state.generation.load(std::memory_order_relaxed);
  if (!forgotten) copy_bytes(op.to, bytes.data(), bytes.size());
  strike(packet.source);
  part_ended(op);
  return true;
}

/// Completes operations of a context that have ended. Runs on the context's thread, without the
/// lock, because completions may start other operations.
bool link::tell(int context) {
  context_state& state = states_[static_cast<std::size_t>(context)];
  if (state.ended.load(std::memory_order_seq_cst) == nullptr) return false;
  operation* newest = state.ended.exchange(nullptr, std::memory_order_acquire);
  operation* oldest = nullptr;
  while (newest != nullptr) {  // in the order in which they ended
    operation* const next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  while (oldest != nullptr) {
    operation& op = *oldest;
    oldest = op.next;
    const bool forgotten = op.generation != state.generation.load(std::memory_order_relaxed);
    completion* const done = forgotten ? nullptr : op.done;
    op.staging = {};
    operation* free = retired_.load(std::memory_order_relaxed);
    do {
      op.next = free;
    } while (!retired_.compare_exchange_weak(free, &op, std::memory_order_release));
    state.outstanding.fetch_sub(1, std::memory_order_relaxed);
    if (done != nullptr) done->end();  // may start others
    if (context >= max_contexts) {
      count(own_block().contexts[static_cast<std::size_t>(context)].handled);
    }
  }
  return true;
}

bool link::has_ended(int context) const noexcept {
  return states_[static_cast<std::size_t>(context)].ended.load(std::memory_order_seq_cst) !=
         nullptr;
}

bool link::quiet(int context) const noexcept {
  return states_[static_cast<std::size_t>(context)].outstanding.load(std::memory_order_relaxed) ==
         0;
}

void link::abandon(int context) noexcept {
  if (quiet(context)) return;
  states_[static_cast<std::size_t>(context)].generation.fetch_add(1, std::memory_order_relaxed);
  // UCX's reads cannot be cancelled, so wait for their end, within limits.
  constexpr std::uint64_t patience_ns = 1'000'000'000;
  const std::uint64_t end = home_->now() + patience_ns;
  while (!quiet(context) && !home_->job_failed() && home_->now() < end) {
    if (!progress(context)) std::this_thread::yield();
  }
  const guard locked(lock_);
  if (!home_->job_failed() && reads_ > 0) closed_ = true;
}

void link::stop_memory_access() noexcept { const guard locked(lock_); }

void callbacks::part_ended(void* request, ucs_status_t status, void* data) {
  auto& op = *static_cast<operation*>(data);
  ucp_request_free(request);
  // An operation on a broken connection never ends: the job fails instead.
  if (status != UCS_OK) return op.home->note_broken(op.rank, ucs_status_string(status));
  op.home->part_ended(op);
}

void callbacks::flush_ended(void* request, ucs_status_t status, void* data) {
  const std::unique_ptr<flush_mark> mark(static_cast<flush_mark*>(data));
  std::uint64_t& flushed = mark->op->home->peers_[static_cast<std::size_t>(mark->rank)].flushed;
  if (status == UCS_OK) flushed = std::max(flushed, mark->writes);
  part_ended(request, status, mark->op);
}

void callbacks::read_ended(void* request, ucs_status_t status, void* data) {
  --static_cast<operation*>(data)->home->reads_;
  part_ended(request, status, data);
}

void callbacks::unawaited(void* request, ucs_status_t status, void* data) {
  ucp_request_free(request);
  if (status != UCS_OK) static_cast<link*>(data)->note_broken(-1, ucs_status_string(status));
}

}  // namespace far::fabric::ucx
