#include "far/rma/future_state.hpp"

#include <memory>
#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/fabric.hpp"

namespace far::detail {

bool future_state_base::wait_until(fabric::deadline_ns deadline) const {
  if (ready_) return true;
  if (queue_->depth != 0) {
    throw error(
        "a continuation of a future waits for another future: it must return that future "
        "instead, because that future may become ready only after the continuation returns");
  }
  return context().wait([this] { return ready_; }, deadline, reason_);
}

void future_state_base::begin_operation() noexcept {
  retain();
  next_ = queue_->in_flight;
  if (next_ != nullptr) next_->previous_ = this;
  queue_->in_flight = this;
}

void future_state_base::end_operation() noexcept {
  if (next_ != nullptr) next_->previous_ = previous_;
  if (previous_ != nullptr) {
    previous_->next_ = next_;
  } else {
    queue_->in_flight = next_;
  }
  next_ = nullptr;
  previous_ = nullptr;
  release();
}

continuation_queue& continuation_queue::attach_to(fabric::context& context) {
  auto queue = std::make_unique<continuation_queue>(context);
  continuation_queue& attached = *queue;
  context.attach(std::move(queue));
  return attached;
}

continuation_queue::~continuation_queue() {
  forget_composites();
  while (in_flight != nullptr) {
    future_state_base* const state = in_flight;
    in_flight = state->next_;
    // Operations that a lane's context started are not freed here: that may need the rank's state,
    // which is destroyed before the lane.
    if (owner->owner().owner == nullptr) continue;
    state->abandon_continuations();
    state->release();
  }
}

void future_state_base::abandon_continuations() noexcept {
  // A state and its continuation hold references to each other. This reverses the chain in place
  // and releases it from its end: a state that is destroyed there releases its source, which the
  // rest of the chain still holds, so nothing recurses.
  future_state_base* last = nullptr;
  for (future_state_base* state = this; state != nullptr;) {
    future_state_base* const next = std::exchange(state->continuation_, last);
    last = std::exchange(state, next);
  }
  while (last != this) {
    future_state_base* const before = std::exchange(last->continuation_, nullptr);
    last->release();
    last = before;
  }
}

void future_state_base::finish() noexcept {
  ready_ = true;
  future_state_base* const next = std::exchange(continuation_, nullptr);
  if (next == nullptr) return;
  if (queue_->depth >= max_depth) {
    put_off(*next);
    return;
  }
  const continuation_scope scope(*queue_);
  run_chain(next);
}

void future_state_base::run_chain(future_state_base* next) noexcept {
  while (next != nullptr) {
    future_state_base* after = nullptr;
    if (next->resume()) {
      next->ready_ = true;
      after = std::exchange(next->continuation_, nullptr);
    }
    // `after` holds `next`, its source, until `after` has run.
    next->release();
    next = after;
  }
}

void future_state_base::put_off(future_state_base& next) noexcept {
  continuation_queue& queue = *next.queue_;
  next.queued_ = nullptr;
  if (queue.last == nullptr) {
    queue.first = &next;
  } else {
    queue.last->queued_ = &next;
  }
  queue.last = &next;
}

void continuation_scope::drain() noexcept {
  while (queue_->first != nullptr) {
    future_state_base* const state = queue_->first;
    queue_->first = state->queued_;
    if (queue_->first == nullptr) queue_->last = nullptr;
    future_state_base::run_chain(state);
  }
}

void throw_consumed() {
  throw bad_argument("this future is not valid: it was consumed by get or then, moved, or empty");
}

}  // namespace far::detail
