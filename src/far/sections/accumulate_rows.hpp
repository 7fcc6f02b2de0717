#pragma once
// y += a x, by the processor.

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "far/base/language.hpp"

namespace far {

/// The types of elements that far::accumulate adds.
template <class T>
concept accumulable = std::same_as<T, int> || std::same_as<T, long> || std::same_as<T, long long> ||
                      std::same_as<T, float> || std::same_as<T, double> ||
                      std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

namespace sections {

enum class element : std::uint8_t { i32, i64, f32, f64, c64, c128 };

[[nodiscard]] constexpr std::size_t bytes_of(element what) noexcept {
  constexpr std::array<std::size_t, 6> bytes{4, 8, 4, 8, 8, 16};
  return bytes[static_cast<std::size_t>(what)];
}

template <accumulable T>
[[nodiscard]] constexpr element element_of() noexcept {
  if constexpr (std::integral<T>) {
    return sizeof(T) == 4 ? element::i32 : element::i64;
  } else if constexpr (std::floating_point<T>) {
    return sizeof(T) == 4 ? element::f32 : element::f64;
  } else {
    return sizeof(T) == 8 ? element::c64 : element::c128;
  }
}

/// The type of the elements, and `a`. Travels in messages.
struct scaling {
  element type = element::i32;
  std::array<std::byte, 16> factor{};

  template <accumulable T>
  [[nodiscard]] static scaling by(const T& a) noexcept {
    scaling result{element_of<T>(), {}};
    std::memcpy(result.factor.data(), &a, sizeof(T));
    return result;
  }
};

/// y[i] += a * x[i] for `rows` rows of `row_bytes` bytes at the given strides in bytes. Integers
/// wrap around; products are rounded before they are added, on every machine. Each element of y is
/// read and written once, whole if it is a word: others may read y meanwhile, but not change it.
/// `y` is aligned as its elements are.
/// Checked by: sections_accumulate_rows_test.every_type
void accumulate_rows(const scaling& how, std::byte* y, std::uint64_t y_stride, const std::byte* x,
                     std::uint64_t x_stride, std::uint64_t rows, std::uint64_t row_bytes) noexcept;

}  // namespace sections
}  // namespace far
