#pragma once
// Descriptions of N-dimensional sections, in memory of this process or of any rank.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>

#include "far/memory/ptr.hpp"
#include "far/sections/strided_iterator.hpp"

namespace far {

/// The largest number of dimensions of a section.
inline constexpr std::size_t max_section_dimensions = 8;

/// Elements at `first + i0 * strides[0] + ... + iN-1 * strides[N-1]` for all i with ik <
/// extents[k], as an mdspan with layout_stride has them. Strides count elements. `Pointer` is T*
/// for memory of this process, ptr<T> for memory of any rank.
///
/// Strides may be in any order, and those of a section that is only read may be 0 or overlap. No
/// stride is negative.
template <class Pointer, std::size_t N>
struct strided {
  static_assert(N >= 1 && N <= max_section_dimensions, "a section has 1 to 8 dimensions");

  Pointer first{};
  std::array<std::uint64_t, N> extents{};
  std::array<std::int64_t, N> strides{};

  /// The element with these indices, of memory of this process. They are not checked.
  /// Checked by: sections_strided_test.elements
  template <std::convertible_to<std::uint64_t>... Index>
    requires(std::is_pointer_v<Pointer> && sizeof...(Index) == N)
  [[nodiscard]] constexpr auto& operator()(Index... index) const {
    const std::array<std::uint64_t, N> at{static_cast<std::uint64_t>(index)...};
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < N; ++k) offset += static_cast<std::int64_t>(at[k]) * strides[k];
    return first[offset];
  }

  /// All elements, of memory of this process, in the order of their indices, the last one fastest:
  /// a range for std::ranges' algorithms and for loops.
  /// Checked by: sections_strided_test.sections_are_ranges
  [[nodiscard]] constexpr auto begin() const noexcept
    requires std::is_pointer_v<Pointer>
  {
    return strided_iterator<std::remove_pointer_t<Pointer>, N>(first, extents, strides, 0);
  }
  [[nodiscard]] constexpr auto end() const noexcept
    requires std::is_pointer_v<Pointer>
  {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : extents) count *= extent;
    return strided_iterator<std::remove_pointer_t<Pointer>, N>(first, extents, strides, count);
  }

  friend bool operator==(const strided&, const strided&) = default;
};

/// A section in memory of this process.
template <class T, std::size_t N>
using strided_span = strided<T*, N>;
/// A section in memory of one rank of the job.
template <class T, std::size_t N>
using strided_ptr = strided<ptr<T>, N>;

/// All elements of a row-major array (the last index varies fastest), densely packed.
/// Checked by: sections_strided_test.arrays_and_their_sections
template <class Pointer, std::size_t N>
[[nodiscard]] constexpr strided<Pointer, N> dense(Pointer first,
                                                  const std::array<std::uint64_t, N>& extents) {
  strided<Pointer, N> result{first, extents, {}};
  std::uint64_t stride = 1;
  for (std::size_t k = N; k-- > 0;) {
    result.strides[k] = static_cast<std::int64_t>(stride);
    stride *= extents[k];
  }
  return result;
}

/// The elements with indices begin[k] <= ik < begin[k] + extents[k] of a section, with its strides.
/// Bounds of `of` are not checked.
/// Checked by: sections_strided_test.arrays_and_their_sections
template <class Pointer, std::size_t N>
[[nodiscard]] constexpr strided<Pointer, N> section_of(
    const strided<Pointer, N>& of, const std::array<std::uint64_t, N>& begin,
    const std::array<std::uint64_t, N>& extents) {
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < N; ++k) {
    offset += static_cast<std::int64_t>(begin[k]) * of.strides[k];
  }
  return {of.first + offset, extents, of.strides};
}

/// A patch of a matrix: `rows` rows of `columns` adjacent elements, `leading` elements apart.
///
///     far::get(world, far::patch(matrix.on(3) + 7, 128, 64, 1024),
///              far::patch(buffer.data(), 128, 64));
///
/// Checked by: sections_strided_test.arrays_and_their_sections
template <class Pointer>
[[nodiscard]] constexpr strided<Pointer, 2> patch(Pointer first, std::uint64_t rows,
                                                  std::uint64_t columns, std::uint64_t leading) {
  return {first, {rows, columns}, {static_cast<std::int64_t>(leading), 1}};
}
template <class Pointer>
[[nodiscard]] constexpr strided<Pointer, 2> patch(Pointer first, std::uint64_t rows,
                                                  std::uint64_t columns) {
  return patch(first, rows, columns, columns);
}

/// The elements of an mdspan, or of anything with its member functions.
/// Checked by: sections_strided_test.mdspans
template <class Mdspan>
  requires requires(const Mdspan& m) {
    { Mdspan::rank() } -> std::convertible_to<std::size_t>;
    m.data_handle();
    m.extent(0);
    m.stride(0);
  }
[[nodiscard]] constexpr auto strided_of(const Mdspan& from) {
  constexpr std::size_t dimensions = Mdspan::rank();
  strided<std::remove_cvref_t<decltype(from.data_handle())>, dimensions> result;
  result.first = from.data_handle();
  for (std::size_t k = 0; k < dimensions; ++k) {
    result.extents[k] = static_cast<std::uint64_t>(from.extent(k));
    result.strides[k] = static_cast<std::int64_t>(from.stride(k));
  }
  return result;
}

}  // namespace far

/// \cond  Doxygen knows no specializations of variables.
// Its iterators keep what they need of it.
template <class T, std::size_t N>
inline constexpr bool std::ranges::enable_borrowed_range<far::strided<T*, N>> = true;
/// \endcond
