#pragma once
// Sections of N-dimensional index spaces.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace far {

/// Indices of an element, one for each dimension; the last one varies fastest.
template <std::size_t N>
using nd_index = std::array<std::uint64_t, N>;

/// The elements with begin[k] <= index[k] < begin[k] + extents[k] in every dimension k.
template <std::size_t N>
struct section {
  nd_index<N> begin{};
  std::array<std::uint64_t, N> extents{};

  [[nodiscard]] constexpr std::uint64_t size() const noexcept {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : extents) product *= extent;
    return product;
  }
  [[nodiscard]] constexpr bool empty() const noexcept {
    return std::ranges::any_of(extents, [](std::uint64_t extent) { return extent == 0; });
  }
  [[nodiscard]] constexpr bool contains(const nd_index<N>& index) const noexcept {
    for (std::size_t k = 0; k < N; ++k) {
      if (index[k] < begin[k] || index[k] - begin[k] >= extents[k]) return false;
    }
    return true;
  }

  friend bool operator==(const section&, const section&) = default;
};

/// What two sections share; empty if they share nothing.
/// Checked by: nd_section_test.intersections
template <std::size_t N>
[[nodiscard]] constexpr section<N> intersection(const section<N>& a, const section<N>& b) noexcept {
  section<N> result;
  for (std::size_t k = 0; k < N; ++k) {
    result.begin[k] = std::max(a.begin[k], b.begin[k]);
    const std::uint64_t end = std::min(a.begin[k] + a.extents[k], b.begin[k] + b.extents[k]);
    result.extents[k] = end > result.begin[k] ? end - result.begin[k] : 0;
  }
  return result;
}

/// Calls f(index) for every element of a section, the last index fastest.
template <std::size_t N, class F>
void for_each_index(const section<N>& of, F f) {
  if (of.empty()) return;
  nd_index<N> index = of.begin;
  for (;;) {
    f(index);
    std::size_t k = N;
    while (k-- > 0) {
      if (++index[k] < of.begin[k] + of.extents[k]) break;
      index[k] = of.begin[k];
      if (k == 0) return;
    }
  }
}

}  // namespace far
