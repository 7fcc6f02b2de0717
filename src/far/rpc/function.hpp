#pragma once
// What far::rpc can call: the type that an argument has when it arrives, and what a function takes
// in addition.

#include <concepts>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/rma/future.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far::detail {

template <class T>
struct arrives_as_type {
  using type = T;
};
template <class C>
struct arrives_as_type<std::basic_string_view<C>> {
  using type = std::basic_string<C>;
};
template <class C>
  requires(std::same_as<std::remove_const_t<C>, char>)
struct arrives_as_type<C*> {
  using type = std::string;
};
template <class T, std::size_t Extent>
struct arrives_as_type<std::span<T, Extent>> {
  using type = std::vector<std::remove_const_t<T>>;
};

/// The type of an argument on the target: its own, or for a view the contents, copied.
template <class Arg>
using arrives_as = typename arrives_as_type<std::decay_t<Arg>>::type;

/// How an argument is passed to a writer: C strings as views, others unchanged.
template <class Arg>
[[nodiscard]] decltype(auto) as_written(const Arg& arg) noexcept {
  if constexpr (std::same_as<arrives_as<Arg>, std::string> && !std::same_as<Arg, std::string>) {
    return std::string_view(arg);
  } else {
    return (arg);
  }
}

/// A function named at compile time, as a type.
template <auto Function>
struct constant_function {
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const
    requires(std::invocable<decltype(Function), Args...>)
  {
    return std::invoke(Function, std::forward<Args>(args)...);
  }
};

/// What a function takes before its arguments.
enum class function_wants {
  arguments,   ///< no parameter before them: it runs inside the handler
  rank_state,  ///< far::rank_state&: it runs inside the handler too
  world,       ///< far::world&: it runs as a task, which may start operations
  impossible
};

template <class F, class... Args>
[[nodiscard]] constexpr function_wants wants_of() {
  if constexpr (std::invocable<F&, Args...>) {
    return function_wants::arguments;
  } else if constexpr (std::invocable<F&, rank_state&, Args...>) {
    return function_wants::rank_state;
  } else if constexpr (std::invocable<F&, world&, Args...>) {
    return function_wants::world;
  } else {
    return function_wants::impossible;
  }
}

template <class F, class... Args>
struct function_traits {
  static constexpr function_wants wants = wants_of<F, Args...>();
  static_assert(wants != function_wants::impossible,
                "far::rpc: the function cannot be called with these arguments as they arrive (by "
                "value or const&, after far::world& or far::rank_state& if it wants one; views "
                "and C strings arrive as std::vector and std::string)");

  static auto result() {
    if constexpr (wants == function_wants::arguments) {
      return std::type_identity<std::invoke_result_t<F&, Args...>>{};
    } else if constexpr (wants == function_wants::rank_state) {
      return std::type_identity<std::invoke_result_t<F&, rank_state&, Args...>>{};
    } else if constexpr (wants == function_wants::world) {
      return std::type_identity<std::invoke_result_t<F&, world&, Args...>>{};
    } else {
      return std::type_identity<void>{};
    }
  }
  using returned = std::remove_cvref_t<typename decltype(result())::type>;
  static constexpr bool returns_future = unwrap<returned>::is_future;
  /// What the caller's future holds.
  using value = typename unwrap<returned>::type;

  static_assert(!returns_future || wants == function_wants::world,
                "far::rpc: a function that returns a future takes far::world& first, to make it");
  static_assert(!wire::points_elsewhere<value>,
                "far::rpc: the function returns a pointer or view, which means nothing elsewhere");
};

/// A stateless function object needs no bytes: the type identifies it.
template <class F>
inline constexpr bool is_stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class F>
constexpr void check_callable() {
  static_assert(!std::is_pointer_v<F> && !std::is_member_pointer_v<F>,
                "far::rpc: a function's address differs from process to process; write "
                "far::rpc<function>(world, rank, ...), or pass a lambda that calls it");
  static_assert(is_stateless<F> || (std::is_class_v<F> && wire::flat<F>),
                "far::rpc: the function object must be trivially copyable (capture numbers and "
                "far::ptr by value; pass strings and vectors as arguments)");
}

}  // namespace far::detail
