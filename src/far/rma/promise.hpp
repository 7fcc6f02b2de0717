#pragma once
// Makes futures: ready ones, failed ones, and those that a callback will fulfil.

#include <exception>
#include <type_traits>
#include <utility>

#include "far/base/error.hpp"
#include "far/rma/future.hpp"
#include "far/world/world.hpp"

namespace far {

/// A future that is ready with a value, for functions that have their result at once.
/// Checked by: future_test.then_runs_at_once_when_ready
template <class T>
[[nodiscard]] future<std::decay_t<T>> ready_future(const world& world, T&& value) {
  return future<std::decay_t<T>>(std::in_place, world.context(), std::forward<T>(value));
}
[[nodiscard]] inline future<void> ready_future(const world& world) {
  return future<void>(std::in_place, world.context());
}

/// A future that is ready with an exception.
/// Checked by: future_test.carries_exceptions
template <class T>
[[nodiscard]] future<T> failed_future(const world& world, std::exception_ptr error) {
  auto state = detail::make_state<detail::future_state<T>>(world.context());
  state->fail(std::move(error));
  return future<T>(std::move(state));
}

/// The other end of a future, for operations that end in a callback. Move-only. If a promise is
/// dropped without a result, its future gets an exception.
///
/// Threads: the context's thread only. set_value and set_exception run the future's continuations
/// before they return.
/// Checked by: future_test.waits_for_a_promise, future_test.dropped_promise_is_an_error
template <class T>
class promise {
 public:
  explicit promise(fabric::context& context)
      : state_(detail::make_state<detail::future_state<T>>(context)) {}
  explicit promise(const world& world) : promise(world.context()) {}
  promise(promise&&) noexcept = default;
  promise& operator=(promise&& other) noexcept {
    promise(std::move(other)).swap(*this);
    return *this;
  }
  ~promise() {
    if (state_ && !state_->ready()) {
      state_->fail(std::make_exception_ptr(error("the promise of this future was dropped")));
    }
  }

  /// Called at most once.
  [[nodiscard]] future<T> get_future() {
    if (!state_ || std::exchange(taken_, true)) {
      throw bad_argument("promise.get_future: this promise has already given its only future");
    }
    return future<T>(state_);
  }
  /// Either set_value or set_exception is called, once.
  template <class... Args>
  void set_value(Args&&... args) {
    check_open();
    state_->set_value(std::forward<Args>(args)...);
    finish();
  }
  void set_exception(std::exception_ptr error) {
    check_open();
    const auto state = state_;  // a continuation may destroy this promise
    state->fail(std::move(error));
  }

  void swap(promise& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(taken_, other.taken_);
  }

 private:
  void check_open() const {
    if (!state_ || state_->ready()) throw bad_argument("promise: its result has already been set");
  }
  void finish() noexcept {
    const auto state = state_;  // a continuation may destroy this promise
    state->finish();
  }

  detail::state_ref<detail::future_state<T>> state_;
  bool taken_ = false;
};

}  // namespace far
