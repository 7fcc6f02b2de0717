#pragma once
// What makes arrays ranges: an iterator over the elements of all ranks.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace far {

/// A random access iterator over the elements of an array, in the order of their indices. It gives
/// values, no references, so algorithms that only read take it:
///
///     const auto found = std::ranges::find_if(a, [](int x) { return x > 5; });
///     for (const int x : a) ...
///
/// Each dereference is a `get` of one element, with its completion, cost and errors; wherever the
/// element is. A `get` of a span moves many at once, and local() gives this rank's at the price of
/// loads.
/// Ownership: valid while the view lives from which it came. Threads: that of the view.
/// Checked by: array_test.elements_are_a_range, cached_array_test.elements_are_a_range
template <class View>
class element_iterator {
 public:
  using value_type = typename View::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = void;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;  // of C++17: its others need references

  element_iterator() noexcept = default;
  element_iterator(const View& view, std::uint64_t index) noexcept : view_(&view), index_(index) {}

  /// The index of its element.
  [[nodiscard]] std::uint64_t index() const noexcept { return index_; }

  [[nodiscard]] value_type operator*() const { return view_->get(index_); }
  [[nodiscard]] value_type operator[](difference_type n) const { return *(*this + n); }

  element_iterator& operator++() noexcept { return *this += 1; }
  element_iterator& operator--() noexcept { return *this -= 1; }
  element_iterator operator++(int) noexcept {
    const element_iterator before = *this;
    ++*this;
    return before;
  }
  element_iterator operator--(int) noexcept {
    const element_iterator before = *this;
    --*this;
    return before;
  }
  element_iterator& operator+=(difference_type n) noexcept {
    index_ += static_cast<std::uint64_t>(n);
    return *this;
  }
  element_iterator& operator-=(difference_type n) noexcept {
    index_ -= static_cast<std::uint64_t>(n);
    return *this;
  }
  friend element_iterator operator+(element_iterator at, difference_type n) noexcept {
    return at += n;
  }
  friend element_iterator operator+(difference_type n, element_iterator at) noexcept {
    return at += n;
  }
  friend element_iterator operator-(element_iterator at, difference_type n) noexcept {
    return at -= n;
  }
  friend difference_type operator-(const element_iterator& a, const element_iterator& b) noexcept {
    return static_cast<difference_type>(a.index_ - b.index_);
  }
  friend bool operator==(const element_iterator& a, const element_iterator& b) noexcept {
    return a.index_ == b.index_;
  }
  friend auto operator<=>(const element_iterator& a, const element_iterator& b) noexcept {
    return a.index_ <=> b.index_;
  }

 private:
  const View* view_ = nullptr;
  std::uint64_t index_ = 0;
};

}  // namespace far
