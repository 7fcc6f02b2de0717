#pragma once
// The shared state of a future that is not ready yet. Layers above derive from future_state<T>, so
// that an operation, its result and its continuation need only one allocation.
//
// Threads: a state belongs to one context and is accessed by that context's thread only, so the
// reference counts are not atomic.
// Invariants: a state has at most one continuation, which is itself a state. Until the state is
// ready, it owns one reference to its continuation. References to a state are held by the future,
// by the operation that will finish it, and by that link. A continuation holds its source until it
// has run.
// Stack: a chain of states resolves in a loop (run_chain). Continuations nest if each starts the
// next on a future that is ready at once. Those that nest deeper than max_depth are put in the
// context's queue, which the outermost of them empties before it returns.

#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "far/fabric/context.hpp"
#include "far/rma/continuation_queue.hpp"

namespace far::detail {

/// How a future keeps its value: void becomes an empty struct.
template <class T>
using stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

[[noreturn]] void throw_consumed();

class future_state_base {
 public:
  static constexpr std::uint32_t max_depth = 32;

  explicit future_state_base(fabric::context& context) : queue_(&continuation_queue::of(context)) {}
  virtual ~future_state_base() = default;
  future_state_base(const future_state_base&) = delete;
  future_state_base& operator=(const future_state_base&) = delete;

  [[nodiscard]] fabric::context& context() const noexcept { return *queue_->owner; }
  [[nodiscard]] bool ready() const noexcept { return ready_; }
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return error_; }

  /// Sets what a waiter of this future waits for, for reports; `what` is static text.
  void describe(const char* what, int rank) noexcept { reason_ = {what, rank, {}}; }
  /// Makes progress until this state is ready; returns false if the deadline passes first. The
  /// thread must not be inside a continuation.
  /// Errors: rank_failed; far::error inside a continuation.
  bool wait_until(fabric::deadline_ns deadline) const;

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

  /// For operations that the fabric completes: holds a reference from begin_operation to
  /// end_operation. If the job fails in between, the reference is released when the context is
  /// destroyed, and no continuation runs.
  /// Checked by: async_test.failed_jobs_leave_nothing_held
  void begin_operation() noexcept;
  void end_operation() noexcept;

  /// Makes the state ready, after its value or error has been set, and runs the continuation. The
  /// caller holds a reference.
  void finish() noexcept;
  void fail(std::exception_ptr error) noexcept {
    error_ = std::move(error);
    finish();
  }

  /// `next` resumes when this state is ready. One reference to `next` passes to this state.
  void continue_with(future_state_base& next) noexcept { continuation_ = &next; }

  /// Queues `next`, whose source is ready, because continuations nest too deep. One reference to
  /// `next` passes to the context's queue.
  static void put_off(future_state_base& next) noexcept;

 protected:
  /// Runs when the source of this state is ready. Returns true if this state is ready then, with a
  /// value or an error; false if it waits for another source now.
  virtual bool resume() noexcept { return true; }
  void set_error(std::exception_ptr error) noexcept { error_ = std::move(error); }

 private:
  friend class continuation_queue;
  friend class continuation_scope;
  static void run_chain(future_state_base* next) noexcept;
  void abandon_continuations() noexcept;

  continuation_queue* queue_;
  future_state_base* continuation_ = nullptr;
  future_state_base* queued_ = nullptr;  // the next in the context's queue
  future_state_base* next_ = nullptr;    // in the list of the context's operations in flight
  future_state_base* previous_ = nullptr;
  std::exception_ptr error_;
  fabric::wait_reason reason_{"future", -1, {}};
  std::uint32_t references_ = 1;
  bool ready_ = false;
};

/// A scope on the stack in which a continuation runs. The outermost one also runs the queued
/// continuations.
class continuation_scope {
 public:
  explicit continuation_scope(fabric::context& context)
      : continuation_scope(continuation_queue::of(context)) {}
  explicit continuation_scope(continuation_queue& queue) noexcept : queue_(&queue) {
    ++queue_->depth;
  }
  ~continuation_scope() {
    if (queue_->depth == 1 && queue_->first != nullptr) drain();
    --queue_->depth;
  }
  continuation_scope(const continuation_scope&) = delete;
  continuation_scope& operator=(const continuation_scope&) = delete;

  [[nodiscard]] static bool too_deep(fabric::context& context) noexcept {
    return continuation_queue::depth_in(context) >= future_state_base::max_depth;
  }

 private:
  void drain() noexcept;

  continuation_queue* queue_;
};

template <class T>
class future_state : public future_state_base {
 public:
  using future_state_base::future_state_base;

  /// Called before finish, and at most once.
  template <class... Args>
  void set_value(Args&&... args) {
    value_.emplace(std::forward<Args>(args)...);
  }
  /// Moves the value out of a ready state, or throws its error.
  stored<T> take() {
    if (failure()) std::rethrow_exception(failure());
    return std::move(*value_);
  }

 private:
  std::optional<stored<T>> value_;
};

/// One reference to a state.
template <class State>
class state_ref {
 public:
  state_ref() noexcept = default;
  /// Takes over a reference that the caller has, such as that of a new state.
  explicit state_ref(State* state) noexcept : state_(state) {}
  template <std::derived_from<State> Derived>
  state_ref(state_ref<Derived> other) noexcept : state_(other.detach()) {}  // NOLINT: as pointers
  state_ref(const state_ref& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) state_->retain();
  }
  state_ref(state_ref&& other) noexcept : state_(other.detach()) {}
  state_ref& operator=(state_ref other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~state_ref() {
    if (state_ != nullptr) state_->release();
  }

  [[nodiscard]] State* get() const noexcept { return state_; }
  State* operator->() const noexcept { return state_; }
  State& operator*() const noexcept { return *state_; }
  explicit operator bool() const noexcept { return state_ != nullptr; }
  /// Passes the reference to the caller.
  [[nodiscard]] State* detach() noexcept { return std::exchange(state_, nullptr); }

 private:
  State* state_ = nullptr;
};

template <class State, class... Args>
[[nodiscard]] state_ref<State> make_state(Args&&... args) {
  return state_ref<State>(new State(std::forward<Args>(args)...));
}

}  // namespace far::detail
