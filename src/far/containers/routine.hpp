#pragma once
// A container's operation, written once, as a coroutine over its memory accesses. If each access
// completes at once (one-sided, blocking), the routine runs to its end inside the call. If accesses
// are futures (in a call's function, or with many operations in flight), it continues in progress
// as they become ready.
//
// Cost: a frame of a few hundred bytes, from a per-thread list; no other allocation if nothing is
// waited for (docs/decisions/0005-one-body-two-forms.md).

// clang-format off: precedes <coroutine>, so that a missing -std=c++20 gives one clear error
#include "far/base/language.hpp"
// clang-format on

#include <array>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "far/rma/await.hpp"
#include "far/rma/future.hpp"
#include "far/rma/future_state.hpp"
#include "far/rma/promise.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Recycles a thread's coroutine frames.
class frame_list {
 public:
  static void* take(std::size_t bytes) {
    if (bytes > frame_bytes) return ::operator new(bytes);
    frame_list& list = of_thread();
    return list.count_ > 0 ? list.free_[--list.count_] : ::operator new(frame_bytes);
  }
  static void give(void* frame, std::size_t bytes) noexcept {
    frame_list& list = of_thread();
    if (bytes <= frame_bytes && list.count_ < list.free_.size()) {
      list.free_[list.count_++] = frame;
    } else {
      ::operator delete(frame);
    }
  }

  frame_list() = default;
  ~frame_list() {
    while (count_ > 0) ::operator delete(free_[--count_]);
  }
  frame_list(const frame_list&) = delete;
  frame_list& operator=(const frame_list&) = delete;

 private:
  static constexpr std::size_t frame_bytes = 512;
  static frame_list& of_thread() noexcept {
    static thread_local frame_list list;
    return list;
  }

  std::array<void*, 8> free_{};
  std::size_t count_ = 0;
};

/// A coroutine that returns an R.
template <class R>
class [[nodiscard]] routine {
 public:
  class promise_type {
   public:
    static void* operator new(std::size_t bytes) { return frame_list::take(bytes); }
    static void operator delete(void* frame, std::size_t bytes) noexcept {
      frame_list::give(frame, bytes);
    }

    routine get_return_object() noexcept {
      return routine(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept { return last_step{}; }
    void return_value(R value) noexcept { value_.emplace(std::move(value)); }
    void unhandled_exception() noexcept { error_ = std::current_exception(); }

   private:
    friend class routine;
    using state = detail::future_state<R>;

    /// Without a future, keeps the frame for the caller to fetch the result, and resumes a routine
    /// that awaits this one. With a future, sets its result and destroys the frame.
    struct last_step {
      [[nodiscard]] static constexpr bool await_ready() noexcept { return false; }
      static std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> self) noexcept {
        promise_type& own = self.promise();
        if (!own.result_) return own.caller_ ? own.caller_ : std::noop_coroutine();
        const detail::state_ref<state> result = std::move(own.result_);
        std::exception_ptr error = std::move(own.error_);
        if (!error) result->set_value(std::move(*own.value_));
        self.destroy();
        if (error) {
          result->fail(std::move(error));
        } else {
          result->finish();
        }
        return std::noop_coroutine();
      }
      static void await_resume() noexcept {}
    };

    std::optional<R> value_;
    std::exception_ptr error_;
    detail::state_ref<state> result_;
    std::coroutine_handle<> caller_;
  };

  routine(routine&& other) noexcept : self_(std::exchange(other.self_, nullptr)) {}
  routine& operator=(routine&&) = delete;
  ~routine() {
    if (self_) self_.destroy();
  }

  // Inside another routine: co_await of this one.
  [[nodiscard]] bool await_ready() const noexcept { return self_.done(); }
  void await_suspend(std::coroutine_handle<> caller) noexcept { self_.promise().caller_ = caller; }
  R await_resume() { return std::move(*this).get(); }

  /// What a finished routine returned or threw.
  R get() && {
    promise_type& own = self_.promise();
    if (own.error_) std::rethrow_exception(own.error_);
    return std::move(*own.value_);
  }

  /// Its future. All that the routine waits for is on the context of `world`, and so is the future.
  future<R> start(const world& world) && {
    if (self_.done()) {
      promise_type& own = self_.promise();
      if (own.error_) return failed_future<R>(world, own.error_);
      return ready_future(world, std::move(*own.value_));
    }
    auto result = detail::make_state<detail::future_state<R>>(world.context());
    std::exchange(self_, nullptr).promise().result_ = result;
    return future<R>(std::move(result));
  }

 private:
  explicit routine(std::coroutine_handle<promise_type> self) noexcept : self_(self) {}

  std::coroutine_handle<promise_type> self_;
};

}  // namespace far::containers
