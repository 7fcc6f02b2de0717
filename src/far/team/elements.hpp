#pragma once
// What collectives transfer: objects that can be copied as bytes, lists of them, and operations.

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <typeinfo>

#include "far/memory/ptr.hpp"
#include "far/team/block.hpp"

namespace far {

/// Min and max of two values, as std::plus is their sum. Of equal values, they return the left one.
struct minimum {
  template <class T>
  [[nodiscard]] constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct maximum {
  template <class T>
  [[nodiscard]] constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

/// A single object that a collective can transfer. Plain pointers are invalid on other ranks.
template <class T>
concept collective_value = remote_object<T> && !std::is_const_v<T> && !std::ranges::range<T> &&
                           !std::is_pointer_v<T> && alignof(T) <= alignof(detail::cache_line);

/// A contiguous list of such objects: std::vector, std::array, std::span, ...
template <class R>
concept collective_range = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                           remote_object<std::ranges::range_value_t<R>> &&
                           alignof(std::ranges::range_value_t<R>) <= alignof(detail::cache_line);

/// A writable list.
template <class R>
concept mutable_collective_range =
    collective_range<R> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

/// An associative operation on T.
template <class Op, class T>
concept reduction = std::invocable<const Op&, const T&, const T&> &&
                    std::convertible_to<std::invoke_result_t<const Op&, const T&, const T&>, T>;

namespace detail {

/// A type-erased reduction.
struct combiner {
  std::size_t element_bytes;
  const void* operation;
  const char* name;  ///< of the operation's type
  /// to[i] = operation(left[i], right[i]) for n elements; `to` may be either of the two.
  void (*fold)(const void* operation, std::byte* to, const std::byte* left, const std::byte* right,
               std::size_t n);

  void operator()(std::byte* to, const std::byte* left, const std::byte* right,
                  std::size_t n) const {
    fold(operation, to, left, right, n);
  }
};

template <class T, class Op>
[[nodiscard]] combiner combiner_of(const Op& operation) noexcept {
  return {sizeof(T), std::addressof(operation), typeid(Op).name(),
          [](const void* op, std::byte* to, const std::byte* left, const std::byte* right,
             std::size_t n) {
            const auto& call = *static_cast<const Op*>(op);
            const auto* a = reinterpret_cast<const T*>(left);
            const auto* b = reinterpret_cast<const T*>(right);
            for (std::size_t i = 0; i < n; ++i) {
              const T result = std::invoke(call, a[i], b[i]);
              std::memcpy(to + i * sizeof(T), &result, sizeof(T));  // T may have const members
            }
          }};
}

template <class T>
[[nodiscard]] std::span<const std::byte> bytes_of(std::span<T> list) noexcept {
  return std::as_bytes(list);
}
template <collective_range R>
[[nodiscard]] auto span_of(R&& list) noexcept {
  return std::span(std::ranges::data(list), std::ranges::size(list));
}

}  // namespace detail
}  // namespace far
