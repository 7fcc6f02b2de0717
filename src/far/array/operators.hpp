#pragma once
// Operators of cached arrays: what apply() may combine, and with which identity.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <type_traits>

#include "far/array/update.hpp"
#include "far/fabric/handlers.hpp"
#include "far/memory/ptr.hpp"
#include "far/team/elements.hpp"

namespace far {

/// The identity of an operator: op(identity, x) == x for each x. Known for std::plus, multiplies,
/// bit_and, bit_or, bit_xor, far::minimum and far::maximum of numbers; an operator of one's own has
/// a member `static T identity()` or `static constexpr T identity`, or specializes this.
template <class Op, class T>
struct operator_identity;

namespace detail {

template <class Op, class T>
concept has_identity_function = requires {
  { Op::identity() } -> std::convertible_to<T>;
};
template <class Op, class T>
concept has_identity_value = requires {
  { Op::identity } -> std::convertible_to<T>;
};

}  // namespace detail

template <class Op, class T>
  requires detail::has_identity_function<Op, T>
struct operator_identity<Op, T> {
  static T value() { return Op::identity(); }
};
template <class Op, class T>
  requires(detail::has_identity_value<Op, T> && !detail::has_identity_function<Op, T>)
struct operator_identity<Op, T> {
  static T value() { return Op::identity; }
};
template <class Op, class T>
  requires(std::is_arithmetic_v<T> &&
           (detail::is_standard<Op, std::plus, T> || detail::is_standard<Op, std::bit_or, T> ||
            detail::is_standard<Op, std::bit_xor, T>))
struct operator_identity<Op, T> {
  static T value() { return T(0); }
};
template <class Op, class T>
  requires(std::is_arithmetic_v<T> && detail::is_standard<Op, std::multiplies, T>)
struct operator_identity<Op, T> {
  static T value() { return T(1); }
};
template <class Op, class T>
  requires(std::is_integral_v<T> && detail::is_standard<Op, std::bit_and, T>)
struct operator_identity<Op, T> {
  static T value() { return static_cast<T>(~T(0)); }
};
template <class T>
  requires std::is_arithmetic_v<T>
struct operator_identity<minimum, T> {
  static T value() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
  }
};
template <class T>
  requires std::is_arithmetic_v<T>
struct operator_identity<maximum, T> {
  static T value() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
};

/// An operator that cached_array<T>::apply takes: associative and commutative (nothing checks
/// that), without state, with an identity. It must not throw: operands are combined where nobody
/// could catch that, so an exception terminates the program, whether or not anything is cached.
template <class Op, class T>
concept combining_operator =
    remote_object<T> && std::is_empty_v<Op> && std::is_default_constructible_v<Op> &&
    std::is_invocable_r_v<T, const Op&, const T&, const T&> && requires {
      { operator_identity<Op, T>::value() } -> std::convertible_to<T>;
    };

namespace cached {

template <class Op, class T>
[[nodiscard, gnu::always_inline]] inline T combined(const T& a, const T& b) noexcept {
  return static_cast<T>(Op{}(a, b));
}
/// The same as a function object, for what does not know that it must not throw.
template <class Op, class T>
struct combine_both {
  T operator()(const T& a, const T& b) const noexcept { return combined<Op, T>(a, b); }
};
/// Those that atomics know stay as they are. (std::plus<double> does not say noexcept.)
template <class Op, class T>
inline constexpr bool is_atomic_operator =
    std::is_arithmetic_v<T> &&
    (far::detail::is_standard<Op, std::plus, T> || far::detail::is_standard<Op, std::bit_and, T> ||
     far::detail::is_standard<Op, std::bit_or, T> ||
     far::detail::is_standard<Op, std::bit_xor, T> || std::same_as<Op, minimum> ||
     std::same_as<Op, maximum>);
template <class Op, class T>
using terminating_operator = std::conditional_t<is_atomic_operator<Op, T>, Op, combine_both<Op, T>>;

/// An operator as the coherence protocol sees it. There is one object per operator and element
/// type, so its address identifies the operator within a process.
struct operation {
  /// The handler of requests for this operator, on every rank.
  fabric::handler_index (*request_handler)();
  void (*fill_identity)(std::byte* elements, std::size_t count);
  /// into[i] = op(into[i], operands[i]).
  void (*merge)(std::byte* into, const std::byte* operands, std::size_t count);
};

/// Receives requests for the right to apply Op (array/cached/messages.hpp).
template <class T, class Op>
struct operate_request;

template <class T, class Op>
inline constexpr operation operation_of = {
    [] { return fabric::handler_of<operate_request<T, Op>>::index(); },
    [](std::byte* elements, std::size_t count) noexcept {
      std::fill_n(reinterpret_cast<T*>(elements), count, operator_identity<Op, T>::value());
    },
    [](std::byte* into, const std::byte* operands, std::size_t count) noexcept {
      auto* const to = reinterpret_cast<T*>(into);
      const auto* const from = reinterpret_cast<const T*>(operands);
      for (std::size_t i = 0; i < count; ++i) to[i] = combined<Op>(to[i], from[i]);
    }};

}  // namespace cached
}  // namespace far
