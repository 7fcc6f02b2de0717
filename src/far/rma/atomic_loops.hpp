#pragma once
// Atomic updates as loops of compare-exchange, for operations that no fabric has.

#include <concepts>
#include <type_traits>

#include "far/rma/amo.hpp"

namespace far::rma {

template <class T>
concept arithmetic = std::integral<T> || std::floating_point<T>;

/// The updates of fetch_min and fetch_max: they keep the word's value unless the bound is beyond
/// it.
template <class T>
struct lesser {
  constexpr T operator()(T old, T bound) const noexcept { return bound < old ? bound : old; }
};
template <class T>
struct greater {
  constexpr T operator()(T old, T bound) const noexcept { return old < bound ? bound : old; }
};

/// -value, without overflow for unsigned types and for the minimum of signed types.
template <arithmetic T>
[[nodiscard]] constexpr T negated(T value) noexcept {
  if constexpr (std::integral<T>) {
    using bits = std::make_unsigned_t<T>;
    return static_cast<T>(bits{0} - static_cast<bits>(value));
  } else {
    return -value;
  }
}

/// Replaces the word's value v by choose(v, operand); returns v.
template <class Ref, class T, class Choose>
T fetch_update(const Ref& word, T operand, Choose choose) {
  T old = word.load();
  // A bound that changes nothing exchanges the value for itself, so that it is still a
  // read-modify-write.
  while (!word.compare_exchange(old, choose(old, operand))) {
  }
  return old;
}

/// One round of fetch_update, non-blocking: `expected` is the value of the word when last read.
template <class Ref, class T, class Choose>
future<T> try_update_async(const Ref& word, T expected, T operand, Choose choose) {
  return word.compare_exchange_async(expected, choose(expected, operand))
      .then([word, expected, operand, choose](T found) -> future<T> {
        if (to_operand(found) == to_operand(expected)) {
          return future<T>(std::in_place, word.context(), found);
        }
        return try_update_async(word, found, operand, choose);
      });
}

template <class Ref, class T, class Choose>
[[nodiscard]] future<T> fetch_update_async(const Ref& word, T operand, Choose choose) {
  return word.load_async().then(
      [word, operand, choose](T seen) { return try_update_async(word, seen, operand, choose); });
}

}  // namespace far::rma
