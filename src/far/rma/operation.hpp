#pragma once
// A fabric operation in flight as the state of a future: completion, result and continuation in one
// object.

#include <type_traits>
#include <utility>

#include "far/base/raw_object.hpp"
#include "far/rma/future.hpp"
#include "far/world/world.hpp"

namespace far::rma {

/// Holds a reference to itself while the fabric performs it. On completion, deliver sets its value.
template <class T>
class operation : public detail::future_state<T>, public fabric::completion {
 public:
  operation(fabric::context& context, const char* what, int rank)
      : detail::future_state<T>(context) {
    this->describe(what, rank);
    on_done = [](fabric::completion& done) noexcept {
      auto& self = static_cast<operation&>(done);
      self.deliver();
      self.finish();
      self.end_operation();
    };
  }

 private:
  /// Calls set_value with what the fabric has written.
  virtual void deliver() noexcept = 0;
};

/// An operation without a result.
class transfer final : public operation<void> {
 public:
  using operation<void>::operation;

 private:
  void deliver() noexcept override { set_value(); }
};

/// An operation that fetches the bytes of a T.
template <class T>
class fetch final : public operation<T> {
 public:
  using operation<T>::operation;
  [[nodiscard]] void* landing() noexcept { return raw_.bytes; }

 private:
  void deliver() noexcept override { this->set_value(raw_.value()); }

  base::raw_object<T> raw_{};
};

/// An operation that writes a T, of which it keeps a copy.
template <class T>
class keep final : public operation<void> {
 public:
  keep(fabric::context& context, const char* what, int rank, const T& value)
      : operation<void>(context, what, rank), value_(value) {}
  [[nodiscard]] const T* value() const noexcept { return &value_; }

 private:
  void deliver() noexcept override { set_value(); }

  T value_;
};

/// Calls start(operation), which issues the fabric operations that complete `operation`, and
/// returns its state. If start throws, `operation` is dropped and never completes.
template <class T, class Operation, class Start>
[[nodiscard]] detail::state_ref<detail::future_state<T>> issue(detail::state_ref<Operation> state,
                                                               Start start) {
  // begin and end hold one count, so that on_done runs only after everything has been issued, and
  // never if issuing fails.
  state->begin();
  start(*state);
  state->begin_operation();
  state->end();
  return state;
}

/// As issue, but returns a future.
template <class T, class Operation, class Start>
[[nodiscard]] future<T> launch(detail::state_ref<Operation> state, Start start) {
  return future<T>(issue<T>(std::move(state), start));
}

}  // namespace far::rma
