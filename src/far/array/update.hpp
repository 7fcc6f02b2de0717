#pragma once
// Maps an operation, given as a function object, to the atomic operation that does the same.

#include <concepts>
#include <functional>
#include <type_traits>

#include "far/rma/atomic_ref.hpp"
#include "far/rma/future.hpp"
#include "far/team/elements.hpp"

namespace far::detail {

template <class Op, template <class> class Standard, class T>
concept is_standard = std::same_as<Op, Standard<void>> || std::same_as<Op, Standard<T>>;

/// Replaces the word's value v by op(v, value), and returns v.
template <class T, class Op>
T atomic_update(const atomic_ref<T>& word, const T& value, const Op& op) {
  if constexpr (rma::arithmetic<T>) {
    if constexpr (is_standard<Op, std::plus, T>) return word.fetch_add(value);
    if constexpr (is_standard<Op, std::minus, T>) return word.fetch_sub(value);
    if constexpr (std::same_as<Op, minimum>) return word.fetch_min(value);
    if constexpr (std::same_as<Op, maximum>) return word.fetch_max(value);
  }
  if constexpr (std::integral<T>) {
    if constexpr (is_standard<Op, std::bit_and, T>) return word.fetch_and(value);
    if constexpr (is_standard<Op, std::bit_or, T>) return word.fetch_or(value);
    if constexpr (is_standard<Op, std::bit_xor, T>) return word.fetch_xor(value);
  }
  return rma::fetch_update(word, value,
                           [&op](const T& a, const T& b) -> T { return std::invoke(op, a, b); });
}

/// Starts the same; the old value is not wanted.
template <class T, class Op>
[[nodiscard]] future<void> start_update(const atomic_ref<T>& word, const T& value, const Op& op) {
  if constexpr (rma::arithmetic<T> && is_standard<Op, std::plus, T>) {
    return word.add_async(value);
  } else {
    const auto choose = [op](const T& a, const T& b) -> T { return std::invoke(op, a, b); };
    return rma::fetch_update_async(word, value, choose).then([](T) {});
  }
}

}  // namespace far::detail
