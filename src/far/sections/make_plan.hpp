#pragma once
// From the public templates to plans.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sections/list.hpp"
#include "far/sections/plan.hpp"
#include "far/sections/shape.hpp"
#include "far/sections/strided.hpp"

namespace far {

/// Elements of one rank, in a list of segments.
template <class T>
struct remote_segment {
  ptr<T> first;
  std::uint64_t count = 0;
};

namespace sections {

/// Errors: bad_argument for a null local side.
[[nodiscard]] plan plan_of(const description& form, fabric::address there, const void* here);

/// `here` is written by gets only.
template <class T, class U, std::size_t N>
[[nodiscard]] plan plan_of(const char* what, written target, const strided<ptr<T>, N>& there,
                           const strided<U*, N>& here) {
  return plan_of(description{what, sizeof(T), target, there.extents, there.strides, here.extents,
                             here.strides},
                 there.first.address(), here.first);
}

template <class R>
inline constexpr bool is_remote_segment = false;
template <class T>
inline constexpr bool is_remote_segment<remote_segment<T>> = true;

/// A range of remote_segment<T>.
template <class R>
concept remote_list = std::ranges::input_range<const R> &&
                      is_remote_segment<std::remove_cv_t<std::ranges::range_value_t<const R>>>;

template <remote_list R>
using element_in = typename decltype(std::ranges::range_value_t<const R>::first)::element_type;

/// A range of spans of elements, or of what converts to spans (vectors, arrays).
template <class R, class T>
concept local_list = std::ranges::input_range<R> &&
                     std::convertible_to<std::ranges::range_reference_t<R>, std::span<T>>;

/// T: the elements of the local side, const where it is only read.
template <class T, class Remote, class Local>
[[nodiscard]] std::vector<plan> plans_of(const char* what, const Remote& there, Local&& here) {
  segment_list list(what, sizeof(T));
  for (const auto& segment : there) list.add_there(segment.first.address(), segment.count);
  for (auto&& segment : here) {
    const std::span<T> elements(segment);
    list.add_here(
        reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(elements.data())),
        elements.size());
  }
  return list.plans();
}

}  // namespace sections
}  // namespace far
