#pragma once
// when_all: one future for many.

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

/// The result of when_all of a list: the values in order, or nothing.
template <class T>
using list_result = std::conditional_t<std::is_void_v<T>, void, std::vector<stored<T>>>;
/// The result of when_all of several futures: a tuple, with std::monostate for void; nothing if all
/// are void.
template <class... Ts>
using tuple_result =
    std::conditional_t<(std::is_void_v<Ts> && ...), void, std::tuple<stored<Ts>...>>;

/// Holds the futures until the last of them is ready. Each one that is not ready owns a reference
/// to this state.
template <class Result, class Parts>
class all_state final : public future_state<Result> {
 public:
  all_state(fabric::context& context, Parts parts)
      : future_state<Result>(context), parts_(std::move(parts)) {}

  /// Links the parts to `state`, which is new, and returns its future.
  static future<Result> start(state_ref<all_state> state) {
    all_state& all = *state;
    ++all.pending_;  // for this function, so that no part is the last before all are linked
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
          // Braces fix the order of evaluation, so that the first future's error is kept.
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

/// A future of all values of a list, in the list's order; a future<void> for a list of
/// future<void>. It is ready when all of them are, even if some hold exceptions; then it holds the
/// first exception in the list's order.
/// Threads: all futures belong to the view's context.
/// Errors: bad_argument if they do not.
/// Cost: one allocation, one step per future.
/// Checked by: when_all_test.waits_for_every_part, when_all_test.takes_the_first_error
template <class T>
[[nodiscard]] future<detail::list_result<T>> when_all(const world& world,
                                                      std::vector<future<T>> futures) {
  using state = detail::all_state<detail::list_result<T>, std::vector<future<T>>>;
  return state::start(detail::make_state<state>(world.context(), std::move(futures)));
}

/// The same for futures of different types: a future of the tuple of their values, with
/// std::monostate for void; a future<void> if all are void.
/// Checked by: when_all_test.mixes_types
template <class... Ts>
  requires(sizeof...(Ts) > 0)
[[nodiscard]] future<detail::tuple_result<Ts...>> when_all(const world& world,
                                                           future<Ts>... futures) {
  using parts = std::tuple<future<Ts>...>;
  using state = detail::all_state<detail::tuple_result<Ts...>, parts>;
  return state::start(detail::make_state<state>(world.context(), parts(std::move(futures)...)));
}

}  // namespace far
