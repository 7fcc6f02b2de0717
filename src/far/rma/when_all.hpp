#pragma once
// Many futures as one.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/error.hpp"
#include "far/rma/future.hpp"
#include "far/rma/promise.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

/// What when_all of a list gives: the values in order, or nothing.
template <class T>
using list_result = std::conditional_t<std::is_void_v<T>, void, std::vector<stored<T>>>;
/// What when_all of several gives: a tuple, with std::monostate for void; nothing if all are void.
template <class... Ts>
using tuple_result =
    std::conditional_t<(std::is_void_v<Ts> && ...), void, std::tuple<stored<Ts>...>>;

/// Holds the futures until the last of them is ready. Each that is not owns a reference.
template <class Result, class Parts>
class all_state final : public future_state<Result> {
 public:
  all_state(fabric::context& context, Parts parts)
      : future_state<Result>(context), parts_(std::move(parts)) {}

  /// The future of all; `state` is the new one.
  static future<Result> start(state_ref<all_state> state) {
    all_state& all = *state;
    ++all.pending_;  // our own, so that none of the parts is the last before all are linked
    each(all.parts_, [&all](auto& part) {
      part.check_valid();
      if (&part.context() != &all.context()) {
        throw bad_argument("when_all: the futures belong to different threads' views");
      }
    });
    each(all.parts_, [&all](auto& part) {
      if (part.ready()) return;
      ++all.pending_;
      all.retain();
      part.state_->continue_with(all);
    });
    if (all.resume()) all.finish();
    return future<Result>(state_ref<future_state<Result>>(std::move(state)));
  }

 private:
  template <class T, class F>
  static void each(std::vector<future<T>>& parts, F f) {
    for (future<T>& part : parts) f(part);
  }
  template <class... Ts, class F>
  static void each(std::tuple<future<Ts>...>& parts, F f) {
    std::apply([&f](auto&... part) { (f(part), ...); }, parts);
  }

  template <class T>
  void collect(std::vector<future<T>>& parts) {
    stored<Result> values;
    if constexpr (!std::is_void_v<T>) values.reserve(parts.size());
    for (future<T>& part : parts) {
      if constexpr (std::is_void_v<T>) {
        (void)part.take();
      } else {
        values.push_back(part.take());
      }
    }
    this->set_value(std::move(values));
  }
  template <class... Ts>
  void collect(std::tuple<future<Ts>...>& parts) {
    std::apply(
        [this](auto&... part) {
          // Braces fix the order: the error that is kept is the first future's.
          std::tuple<stored<Ts>...> values{part.take()...};
          if constexpr (std::is_void_v<Result>) {
            this->set_value();
          } else {
            this->set_value(std::move(values));
          }
        },
        parts);
  }

  bool resume() noexcept override {
    if (--pending_ != 0) return false;
    Parts parts = std::move(parts_);
    try {
      collect(parts);
    } catch (...) {
      this->set_error(std::current_exception());
    }
    return true;
  }

  Parts parts_;
  std::size_t pending_ = 0;
};

}  // namespace detail

/// A future of all values of a list, in its order; future<void> for a list of those. Ready when
/// all are, also when some hold exceptions, of which it takes the first in the list's order.
/// Threads: all futures belong to the view's context, or bad_argument.
/// Cost: one allocation, one step per future.
/// Checked by: when_all_test.waits_for_every_part, when_all_test.takes_the_first_error
template <class T>
[[nodiscard]] future<detail::list_result<T>> when_all(const world& view,
                                                      std::vector<future<T>> futures) {
  using state = detail::all_state<detail::list_result<T>, std::vector<future<T>>>;
  return state::start(detail::make_state<state>(view.context(), std::move(futures)));
}

/// The same for several futures of different types: a future of the tuple of their values, with
/// std::monostate where there is none; future<void> if none has a value.
/// Checked by: when_all_test.mixes_types
template <class... Ts>
  requires(sizeof...(Ts) > 0)
[[nodiscard]] future<detail::tuple_result<Ts...>> when_all(const world& view,
                                                           future<Ts>... futures) {
  using parts = std::tuple<future<Ts>...>;
  using state = detail::all_state<detail::tuple_result<Ts...>, parts>;
  return state::start(detail::make_state<state>(view.context(), parts(std::move(futures)...)));
}

}  // namespace far
