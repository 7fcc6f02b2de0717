#pragma once
// co_await of a future, in a coroutine that is resumed by progress of the future's context.

// clang-format off: before <coroutine>, whose own error in older standards would mislead
#include "far/base/language.hpp"
// clang-format on

#include <coroutine>
#include <type_traits>
#include <utility>

#include "far/rma/future.hpp"
#include "far/rma/future_state.hpp"

namespace far {
namespace detail {

/// The continuation that resumes a coroutine when a future is ready. It owns the coroutine until
/// then: if the job fails, and the future never becomes ready, it destroys the coroutine.
class await_state final : public future_state_base {
 public:
  await_state(fabric::context& context, std::coroutine_handle<> waiter)
      : future_state_base(context), waiter_(waiter) {}
  ~await_state() override {
    if (waiter_) waiter_.destroy();
  }

 private:
  bool resume() noexcept override {
    std::exchange(waiter_, nullptr).resume();
    return true;
  }

  std::coroutine_handle<> waiter_;
};

template <class T>
class future_awaiter {
 public:
  explicit future_awaiter(future<T> source) noexcept : source_(std::move(source)) {}

  [[nodiscard]] bool await_ready() const noexcept { return source_.ready(); }
  void await_suspend(std::coroutine_handle<> waiter) {
    auto next = make_state<await_state>(source_.context(), waiter);
    state_ = future_access::state_of(std::move(source_));
    state_->continue_with(*next.detach());
  }
  T await_resume() {
    if (!state_) return source_.get();
    if constexpr (std::is_void_v<T>) {
      (void)state_->take();
    } else {
      return state_->take();
    }
  }

 private:
  future<T> source_;
  state_ref<future_state<T>> state_;  // while it is awaited
};

}  // namespace detail

/// Inside a coroutine: waits until the future is ready, then returns its value or throws its
/// exception. The coroutine must stay on the thread of the future's context.
template <class T>
[[nodiscard]] auto operator co_await(future<T>&& source) noexcept {
  return detail::future_awaiter<T>(std::move(source));
}

}  // namespace far
