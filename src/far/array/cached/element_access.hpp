#pragma once
// How an access reads or writes an element, once its chunk is known to be here.

#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include "far/array/cached/access.hpp"
#include "far/array/cached/part.hpp"
#include "far/array/operators.hpp"
#include "far/array/update.hpp"
#include "far/base/raw_object.hpp"
#include "far/rma/amo.hpp"

namespace far {

/// What a view promises (docs/memory_model.md). `relaxed`: each element is coherent, and accesses
/// of different elements are ordered by synchronization only.
enum class access_order : std::uint8_t { sequential, relaxed };

namespace cached {

/// Elements that one instruction accesses.
template <class T>
inline constexpr bool is_word =
    sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

template <class T>
[[nodiscard]] constexpr element_kind kind_of() noexcept {
  return {sizeof(T), is_word<T>, rma::amo_value<T>};
}

template <access_order Order>
inline constexpr std::memory_order memory_order_of =
    Order == access_order::sequential ? std::memory_order_seq_cst : std::memory_order_relaxed;

template <access_order Order, class T>
[[nodiscard]] T load(const T* from) noexcept {
  return std::atomic_ref<T>(*const_cast<T*>(from)).load(memory_order_of<Order>);
}
template <access_order Order, class T>
void store(T* to, const T& value) noexcept {
  std::atomic_ref<T>(*to).store(value, memory_order_of<Order>);
}
/// Atomic: other threads of the rank may write the element, too.
template <class Op, class T>
[[gnu::always_inline]] inline void combine(T* to, const T& operand) noexcept {
  using far::detail::is_standard;
  const std::atomic_ref<T> element(*to);
  constexpr bool has_operators = std::integral<T> && !std::same_as<T, bool>;
  if constexpr (has_operators && is_standard<Op, std::plus, T>) {
    element += operand;
  } else if constexpr (has_operators && is_standard<Op, std::bit_and, T>) {
    element &= operand;
  } else if constexpr (has_operators && is_standard<Op, std::bit_or, T>) {
    element |= operand;
  } else if constexpr (has_operators && is_standard<Op, std::bit_xor, T>) {
    element ^= operand;
  } else {
    T old = element.load(std::memory_order_relaxed);
    while (!element.compare_exchange_weak(old, combined<Op>(old, operand))) {
    }
  }
}

// -- hits: target(word, chunk) is where the access may take place, or zero; make(target) makes it
// and returns what was read, or true.
// What others may change meanwhile is read once, by target.

template <class T, access_order Order>
struct element_reader {
  std::uint64_t i;

  [[nodiscard]] static chunk_word target(chunk_word word, std::uint64_t) noexcept { return word; }
  template <class Target>
  [[nodiscard]] T make(Target target) const noexcept {
    return load<Order>(target.template element<T>(i));
  }
};

/// Reads into `to`.
template <class T, access_order Order>
struct element_keeper : element_reader<T, Order> {
  base::raw_object<T>* to;

  bool make(chunk_word target) const noexcept {
    *to = std::bit_cast<base::raw_object<T>>(element_reader<T, Order>::make(target));
    return true;
  }
};

template <class T, access_order Order>
struct element_writer {
  std::uint64_t i;
  T value;

  [[nodiscard]] static chunk_word target(chunk_word word, std::uint64_t) noexcept {
    return word.can_write() ? word : chunk_word();
  }
  template <class Target>
  bool make(Target target) const noexcept {
    store<Order>(target.template element<T>(i), value);
    return true;
  }
};

/// Combines with the element, or with the thread's operand.
template <class T, class Op>
struct element_combiner {
  std::uint64_t i;
  T operand;
  const operand_line* lines;

  [[nodiscard]] chunk_word target(chunk_word word, std::uint64_t chunk) const noexcept {
    return word.can_write() ? word : lines[chunk].of(&operation_of<T, Op>);
  }
  template <class Target>
  bool make(Target target) const {
    T* const to = target.template element<T>(i);
    if (target.can_write()) {
      combine<Op>(to, operand);
    } else {
      *to = combined<Op>(*to, operand);
    }
    return true;
  }
};

// -- the slow path, under the rank's mutex, beside other threads' hits

template <access_order Order, class T>
[[nodiscard]] base::raw_object<T> read_element(const T* from) noexcept {
  base::raw_object<T> result;
  if constexpr (is_word<T>) {
    result = std::bit_cast<base::raw_object<T>>(load<Order>(from));
  } else {
    std::memcpy(&result, from, sizeof(T));
  }
  return result;
}
template <access_order Order, class T>
void write_element(T* to, const T& value) noexcept {
  if constexpr (is_word<T>) {
    store<Order>(to, value);
  } else {
    std::memcpy(to, &value, sizeof(T));
  }
}
/// Each element is whole.
template <class T>
void copy_elements(T* to, const T* from, std::size_t n) noexcept {
  if constexpr (is_word<T>) {
    for (std::size_t i = 0; i < n; ++i) {
      store<access_order::relaxed>(to + i, load<access_order::relaxed>(from + i));
    }
  } else {
    std::memcpy(to, from, n * sizeof(T));
  }
}

}  // namespace cached
}  // namespace far
