#pragma once
// Futures: the results of non-blocking transfers and atomics, and of remote calls.

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "far/base/error.hpp"
#include "far/rma/future_state.hpp"
#include "far/world/world.hpp"

namespace far {

template <class T>
class future;

namespace detail {

template <class T>
struct unwrap {
  using type = T;
  static constexpr bool is_future = false;
};
template <class T>
struct unwrap<future<T>> {
  using type = T;
  static constexpr bool is_future = true;
};

template <class T, class F>
decltype(auto) call_with(F& f, [[maybe_unused]] stored<T>&& value) {
  if constexpr (std::is_void_v<T>) {
    return std::invoke(std::move(f));
  } else {
    return std::invoke(std::move(f), std::move(value));
  }
}

/// What F returns when called with the value of a future<T>.
template <class T, class F>
using then_result =
    std::remove_cvref_t<decltype(call_with<T>(std::declval<F&>(), std::declval<stored<T>>()))>;

template <class T, class R, class F>
class then_state;
template <class Result, class Parts>
class all_state;
struct future_access;

}  // namespace detail

/// The result of an operation that may still be in flight: a value, nothing (future<void>), or an
/// exception. Move-only; get and then consume it. Dropping a future does not stop its operation,
/// so the memory that the operation reads or writes must live until the operation is complete.
///
/// Progress: the thread of its context must wait, or poll world.progress.
/// Threads: a future belongs to the context that the operation was started on.
/// Cost: no allocation when the result is there at once; else one per operation, one per then.
template <class T>
class [[nodiscard]] future {
  static_assert(std::is_void_v<T> || (std::is_object_v<T> && std::move_constructible<T>),
                "a future holds a movable object, or void");

 public:
  using value_type = T;

  future() noexcept {}
  future(future&& other) noexcept { adopt(other); }
  future& operator=(future&& other) noexcept {
    if (this != &other) {
      drop_value();
      adopt(other);
    }
    return *this;
  }
  ~future() { drop_value(); }

  /// For layers that start operations. Programs use ready_future and promise.
  explicit future(detail::state_ref<detail::future_state<T>> state) noexcept
      : context_(&state->context()), state_(std::move(state)) {}
  template <class... Args>
  future(std::in_place_t, fabric::context& context, Args&&... args)
      : context_(&context), value_(std::forward<Args>(args)...) {}

  /// False after get, then or a move.
  [[nodiscard]] bool valid() const noexcept { return context_ != nullptr; }
  /// True if get would not wait. Makes no progress, so a loop of it alone may never end: there, use
  /// far::poll.
  [[nodiscard]] bool ready() const noexcept { return !state_ || state_->ready(); }
  [[nodiscard]] fabric::context& context() const noexcept { return *context_; }

  /// Returns when the future is ready, with a value or an exception.
  /// Progress: made meanwhile.
  /// Errors: rank_failed; far::error inside a continuation, which must not wait.
  /// Checked by: future_test.waits_for_a_promise
  void wait() const { (void)wait_until(fabric::never); }
  /// The same. `world` must be the one that the operation was started on.
  void wait(const world& world) const {
    if (&world.context() != context_) {
      throw bad_argument("future.wait: this future belongs to another thread's view of the world");
    }
    wait();
  }
  /// The same; returns false if world.now() passes the deadline first.
  /// Checked by: future_test.wait_until_gives_up
  [[nodiscard]] bool wait_until(fabric::deadline_ns deadline) const {
    check_valid();
    return !state_ || state_->wait_until(deadline);
  }

  /// Waits, consumes the future, and returns its value or throws its exception.
  /// Checked by: future_test.waits_for_a_promise, future_test.carries_exceptions
  T get() {
    if (state_) [[unlikely]] {
      wait();
      context_ = nullptr;
      return take_from(std::move(state_));
    }
    check_valid();
    if constexpr (std::is_void_v<T>) {
      drop_value();
    } else {
      T result(std::move(value_));
      drop_value();
      return result;
    }
  }

  /// Calls f(value), or f() for void, once the value is there. Returns a future of f's result; if f
  /// returns a future, a future of that one's value. An exception of this future or of f is passed
  /// to the returned future; if that is dropped, the exception is lost. Consumes this future.
  ///
  /// If this future is ready, f runs at once. But if continuations nest deeply, f runs when the
  /// outermost of them returns, so chains of any length need a bounded stack. If this future is not
  /// ready, f runs inside progress. f may start operations, and must not wait.
  /// Checked by: future_test.then_runs_at_once_when_ready,
  /// future_test.long_chains_need_little_stack
  template <class F>
  auto then(F&& f) {
    using function = std::decay_t<F>;
    using unwrapped = detail::unwrap<detail::then_result<T, function>>;
    using result = typename unwrapped::type;
    check_valid();
    if (ready() && !detail::continuation_scope::too_deep(*context_)) {
      function local(std::forward<F>(f));
      return then_now<result, unwrapped::is_future>(local);
    }
    return then_later<result>(std::forward<F>(f));
  }

 private:
  template <class, class, class>
  friend class detail::then_state;
  template <class, class>
  friend class detail::all_state;
  friend struct detail::future_access;

  void check_valid() const {
    if (!valid()) [[unlikely]]
      detail::throw_consumed();
  }

  /// Whether the value is in the future itself.
  [[nodiscard]] bool holds_value() const noexcept { return context_ != nullptr && !state_; }
  /// Destroys the value, if it is in the future itself, and makes the future invalid.
  void drop_value() noexcept {
    if (holds_value()) std::destroy_at(&value_);
    context_ = nullptr;
  }
  /// Moves the content of `other` here. This future must hold no value.
  void adopt(future& other) noexcept {
    context_ = other.context_;
    state_ = std::move(other.state_);
    if (holds_value()) {
      std::construct_at(&value_, std::move(other.value_));
      other.drop_value();
    } else if constexpr (std::is_trivial_v<detail::stored<T>>) {
      std::construct_at(&value_);  // avoids a false warning of GCC 12
    }
    other.context_ = nullptr;
  }

  detail::stored<T> take() {
    if (state_) return state_->take();
    return std::move(value_);
  }
  /// Neither inlined nor a member of an object: a future whose address is not taken stays in
  /// registers.
  [[gnu::noinline]] static T take_from(detail::state_ref<detail::future_state<T>> state) {
    if constexpr (std::is_void_v<T>) {
      (void)state->take();
    } else {
      return state->take();
    }
  }

  /// The state of this future. It is made now if the value is in the future itself. Consumes it.
  detail::state_ref<detail::future_state<T>> to_state() {
    if (!state_) {
      auto made = detail::make_state<detail::future_state<T>>(*context_);
      made->set_value(std::move(value_));
      drop_value();
      made->finish();
      return made;
    }
    context_ = nullptr;
    return std::move(state_);
  }

  template <class R, bool ReturnsFuture, class F>
  future<R> then_now(F& f) {
    future source(std::move(*this));
    fabric::context& context = *source.context_;
    const detail::continuation_scope scope(context);
    try {
      if constexpr (ReturnsFuture) {
        return detail::call_with<T>(f, source.take());
      } else if constexpr (std::is_void_v<R>) {
        detail::call_with<T>(f, source.take());
        return future<R>(std::in_place, context);
      } else {
        return future<R>(std::in_place, context, detail::call_with<T>(f, source.take()));
      }
    } catch (...) {
      auto failed = detail::make_state<detail::future_state<R>>(context);
      failed->fail(std::current_exception());
      return future<R>(std::move(failed));
    }
  }

  template <class R, class F>
  future<R> then_later(F&& f) {
    using state_type = detail::then_state<T, R, std::decay_t<F>>;
    fabric::context& context = *context_;
    auto source = to_state();
    auto next = detail::make_state<state_type>(context, source, std::forward<F>(f));
    next->retain();  // for the link or the queue
    if (source->ready()) {
      detail::future_state_base::put_off(*next);
    } else {
      source->continue_with(*next);
    }
    return future<R>(detail::state_ref<detail::future_state<R>>(std::move(next)));
  }

  fabric::context* context_ = nullptr;  // null: not valid
  detail::state_ref<detail::future_state<T>> state_;
  union {
    detail::stored<T> value_;  // alive in a valid future without a state
  };
};

namespace detail {

/// The state of the future that `then` returns, with the function that computes its value.
template <class T, class R, class F>
class then_state final : public future_state<R> {
 public:
  template <class G>
  then_state(fabric::context& context, state_ref<future_state<T>> source, G&& f)
      : future_state<R>(context), source_(std::move(source)), f_(std::forward<G>(f)) {}

 private:
  bool resume() noexcept override {
    try {
      if (inner_) {
        const auto inner = std::exchange(inner_, {});
        this->set_value(inner->take());
        return true;
      }
      return call();
    } catch (...) {
      this->set_error(std::current_exception());
      return true;
    }
  }

  bool call() {
    const auto source = std::exchange(source_, {});
    // The function and its captures are destroyed when it has run.
    std::optional<F> f = std::exchange(f_, std::nullopt);
    using result = then_result<T, F>;
    if constexpr (unwrap<result>::is_future) {
      result inner = call_with<T>(*f, source->take());
      inner.check_valid();
      if (inner.ready()) {
        this->set_value(inner.take());
        return true;
      }
      inner_ = inner.to_state();
      this->retain();
      inner_->continue_with(*this);
      return false;
    } else if constexpr (std::is_void_v<R>) {
      call_with<T>(*f, source->take());
      this->set_value();
      return true;
    } else {
      this->set_value(call_with<T>(*f, source->take()));
      return true;
    }
  }

  state_ref<future_state<T>> source_;
  std::optional<F> f_;
  state_ref<future_state<R>> inner_;  // what f returned, until it is ready
};

/// Gives other layers the state of a future, to continue when it is ready, with or without an
/// exception.
struct future_access {
  template <class T>
  static state_ref<future_state<T>> state_of(future<T> from) {
    return from.to_state();
  }
};

}  // namespace detail

/// Whether a future is ready. Unlike future::ready it makes progress first, and so becomes true:
///
///     while (!far::poll(world, reply)) compute_a_little();
///
/// Does not wait. Threads: that of the future's context. Cost: as world.progress().
/// Checked by: async_test.polls_until_ready
template <class T>
[[nodiscard]] bool poll(const world& world, const future<T>& operation) {
  world.progress();
  return operation.ready();
}

}  // namespace far
