#pragma once
// What makes sections of this process's memory ranges: an iterator over their elements.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace far {

/// A random access iterator over the elements of a strided_span, the last index fastest. It keeps
/// the section's extents and strides, so it outlives the strided_span.
///
/// Cost: a step is an addition and a comparison, at the end of a row up to N of them; a jump is N
/// divisions. A loop over the indices of a row costs less.
/// Checked by: sections_strided_test.sections_are_ranges
template <class T, std::size_t N>
class strided_iterator {
  using indices = std::array<std::uint64_t, N>;

 public:
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using pointer = T*;
  using iterator_category = std::random_access_iterator_tag;

  constexpr strided_iterator() noexcept = default;
  /// The element number `position`, or the end.
  constexpr strided_iterator(T* first, const indices& extents,
                             const std::array<std::int64_t, N>& strides,
                             std::uint64_t position) noexcept
      : first_(first), extents_(extents), strides_(strides) {
    move_to(position);
  }

  [[nodiscard]] constexpr T& operator*() const noexcept { return first_[offset_]; }
  [[nodiscard]] constexpr T* operator->() const noexcept { return first_ + offset_; }
  [[nodiscard]] constexpr T& operator[](difference_type n) const noexcept { return *(*this + n); }

  constexpr strided_iterator& operator++() noexcept {
    ++position_;
    for (std::size_t k = N; k-- > 0;) {
      offset_ += strides_[k];
      if (++at_[k] < extents_[k] || k == 0) break;
      offset_ -= static_cast<std::int64_t>(at_[k]) * strides_[k];
      at_[k] = 0;
    }
    return *this;
  }
  constexpr strided_iterator& operator--() noexcept { return *this -= 1; }
  constexpr strided_iterator operator++(int) noexcept {
    const strided_iterator before = *this;
    ++*this;
    return before;
  }
  constexpr strided_iterator operator--(int) noexcept {
    const strided_iterator before = *this;
    --*this;
    return before;
  }
  constexpr strided_iterator& operator+=(difference_type n) noexcept {
    move_to(position_ + static_cast<std::uint64_t>(n));
    return *this;
  }
  constexpr strided_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  friend constexpr strided_iterator operator+(strided_iterator i, difference_type n) noexcept {
    return i += n;
  }
  friend constexpr strided_iterator operator+(difference_type n, strided_iterator i) noexcept {
    return i += n;
  }
  friend constexpr strided_iterator operator-(strided_iterator i, difference_type n) noexcept {
    return i -= n;
  }
  friend constexpr difference_type operator-(const strided_iterator& a,
                                             const strided_iterator& b) noexcept {
    return static_cast<difference_type>(a.position_ - b.position_);
  }
  friend constexpr bool operator==(const strided_iterator& a, const strided_iterator& b) noexcept {
    return a.position_ == b.position_;
  }
  friend constexpr auto operator<=>(const strided_iterator& a, const strided_iterator& b) noexcept {
    return a.position_ <=> b.position_;
  }

 private:
  constexpr void move_to(std::uint64_t position) noexcept {
    position_ = position;
    offset_ = 0;
    for (std::size_t k = N; k-- > 0;) {
      // The first index has no bound, so that the end has a place; of no elements, any will do.
      const bool wraps = k > 0 && extents_[k] > 0;
      at_[k] = wraps ? position % extents_[k] : position;
      position = wraps ? position / extents_[k] : 0;
      offset_ += static_cast<std::int64_t>(at_[k]) * strides_[k];
    }
  }

  T* first_ = nullptr;
  indices extents_{};
  std::array<std::int64_t, N> strides_{};
  std::uint64_t position_ = 0;
  indices at_{};
  std::int64_t offset_ = 0;  // of `at_`
};

}  // namespace far
