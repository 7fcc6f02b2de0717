#pragma once
// A container's operation, written once, as a coroutine over its accesses to memory. Where each
// access is made at once (one-sided, waited for) it runs to its end in the call; where accesses
// are futures (in the function of a call, or many operations at a time) it goes on in progress as
// they become ready.
//
// Cost: a frame of a few hundred bytes, from a list of the thread's; no other allocation where
// nothing is waited for (docs/decisions/0005-one-body-two-forms.md).

// clang-format off: comes before <coroutine>, which asks for an option
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

/// Memory of a thread's finished routines, for its next ones.
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

    /// Stays for its caller to fetch what it returns, going on with a routine that awaits that; or
    /// hands it to the future, and goes.
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

  /// Of one that waits for nothing any more: what it returned, or threw.
  R get() && {
    promise_type& own = self_.promise();
    if (own.error_) std::rethrow_exception(own.error_);
    return std::move(*own.value_);
  }

  /// Its future, on the context of `view`, which is that of all it waits for.
  future<R> start(const world& view) && {
    if (self_.done()) {
      promise_type& own = self_.promise();
      if (own.error_) return failed_future<R>(view, own.error_);
      return ready_future(view, std::move(*own.value_));
    }
    auto result = detail::make_state<detail::future_state<R>>(view.context());
    std::exchange(self_, nullptr).promise().result_ = result;
    return future<R>(std::move(result));
  }

 private:
  explicit routine(std::coroutine_handle<promise_type> self) noexcept : self_(self) {}

  std::coroutine_handle<promise_type> self_;
};

}  // namespace far::containers
