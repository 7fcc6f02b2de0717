#include "far/rma/future_state.hpp"

#include "far/base/error.hpp"

namespace far::detail {

bool future_state_base::wait_until(fabric::deadline_ns deadline) const {
  if (ready_) return true;
  if (context_->continuations().depth != 0) {
    throw error(
        "a continuation of a future waits for another future: it must return that future "
        "instead, for what it waits for may need its own return");
  }
  return context_->wait([this] { return ready_; }, deadline, reason_);
}

void future_state_base::finish() noexcept {
  ready_ = true;
  future_state_base* const next = std::exchange(continuation_, nullptr);
  if (next == nullptr) return;
  if (continuation_scope::too_deep(*context_)) {
    put_off(*next);
    return;
  }
  const continuation_scope scope(*context_);
  run_chain(next);
}

void future_state_base::run_chain(future_state_base* next) noexcept {
  while (next != nullptr) {
    future_state_base* after = nullptr;
    if (next->resume()) {
      next->ready_ = true;
      after = std::exchange(next->continuation_, nullptr);
    }
    // `after` holds `next`, its source, until it has run itself.
    next->release();
    next = after;
  }
}

void future_state_base::put_off(future_state_base& next) noexcept {
  fabric::continuation_queue& queue = next.context_->continuations();
  next.queued_ = nullptr;
  if (queue.last == nullptr) {
    queue.first = &next;
  } else {
    static_cast<future_state_base*>(queue.last)->queued_ = &next;
  }
  queue.last = &next;
}

void continuation_scope::drain() noexcept {
  while (queue_->first != nullptr) {
    auto* const state = static_cast<future_state_base*>(queue_->first);
    queue_->first = state->queued_;
    if (queue_->first == nullptr) queue_->last = nullptr;
    future_state_base::run_chain(state);
  }
}

}  // namespace far::detail
