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
        "instead, for what it waits for may need its own return");
  }
  return context().wait([this] { return ready_; }, deadline, reason_);
}

void future_state_base::begin_operation() noexcept {
  retain();
  next_ = queue_->under_way;
  if (next_ != nullptr) next_->previous_ = this;
  queue_->under_way = this;
}

void future_state_base::end_operation() noexcept {
  if (next_ != nullptr) next_->previous_ = previous_;
  if (previous_ != nullptr) {
    previous_->next_ = next_;
  } else {
    queue_->under_way = next_;
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
  while (under_way != nullptr) {
    future_state_base* const state = under_way;
    under_way = state->next_;
    // What a lane's context started may need the rank's state, which is gone before the lane.
    if (owner->owner().owner == nullptr) continue;
    state->abandon_continuations();
    state->release();
  }
}

void future_state_base::abandon_continuations() noexcept {
  // A state and its continuation hold each other. The chain is turned round in place and released
  // from its end, for each state there holds only what is left of the chain.
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
    // `after` holds `next`, its source, until it has run itself.
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
  throw bad_argument("this future was consumed by get or then, or never had an operation");
}

}  // namespace far::detail
