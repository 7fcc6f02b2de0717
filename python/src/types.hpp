#pragma once
// NumPy's types of numbers, by their codes: "i8", "u4", "f8", "b1".

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "session.hpp"

namespace far::python {

/// Calls f(T{}) with the type of a code. Errors: bad_argument for any other type, as `what` needs
/// numbers.
template <class F>
decltype(auto) with_number(std::string_view code, std::string_view what, F f) {
  if (code == "i8") return f(std::int64_t{});
  if (code == "f8") return f(double{});
  if (code == "u8") return f(std::uint64_t{});
  if (code == "i4") return f(std::int32_t{});
  if (code == "u4") return f(std::uint32_t{});
  if (code == "f4") return f(float{});
  if (code == "i2") return f(std::int16_t{});
  if (code == "u2") return f(std::uint16_t{});
  if (code == "i1") return f(std::int8_t{});
  if (code == "u1" || code == "b1") return f(std::uint8_t{});
  throw bad_argument(fmt::format("{} of elements of type '{}': only of numbers", what, code));
}

enum class combining : std::uint8_t { sum, product, min, max, bit_and, bit_or, bit_xor };

/// Errors: bad_argument.
[[nodiscard]] combining combining_named(const std::string& name);

/// Two values combined, by an operation that is known when the program runs.
struct combine {
  combining how = combining::sum;

  template <class T>
  [[nodiscard]] T operator()(T a, T b) const noexcept {
    switch (how) {
      case combining::sum:
        return wrapped<T>(a, b, std::plus<>());
      case combining::product:
        return wrapped<T>(a, b, std::multiplies<>());
      case combining::min:
        return b < a ? b : a;
      case combining::max:
        return a < b ? b : a;
      default:
        return bits(a, b);
    }
  }

 private:
  /// As NumPy does: integers wrap around.
  template <class T, class F>
  static T wrapped(T a, T b, F f) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return f(a, b);
    } else {
      return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    }
  }
  template <class T>
  T bits(T a, T b) const noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      return a;  // refused before
    } else {
      const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
      if (how == combining::bit_and) return static_cast<T>(x & y);
      return static_cast<T>(how == combining::bit_or ? x | y : x ^ y);
    }
  }
};

/// Errors: bad_argument for bits of floating-point numbers.
void check_combining(combining how, std::string_view code);

}  // namespace far::python
