#pragma once
// Collective algorithms on all elements of a cached array. Each rank works on its own part, through
// pins, between barriers.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "far/array/algorithms.hpp"
#include "far/array/cached_view.hpp"
#include "far/team/barrier.hpp"
#include "far/team/reduce.hpp"

namespace far {

/// Collective: calls f(index, element) for every element on its owner, in the order of the indices.
/// f may change its element.
/// Ordering: a barrier before, a barrier after. Threads: one per rank.
/// Cost: two barriers, the calls, and recalls of what other ranks have.
/// Checked by: cached_array_test.algorithms_visit_every_element
template <class T, access_order Order, class F>
  requires std::invocable<F&, std::uint64_t, T&>
void for_each(const cached_view<T, Order>& a, F f) {
  barrier(a.world());
  for (std::uint64_t i = a.local_begin(); i < a.local_end();) {
    const write_pin<T> pin = a.pin_write(i);
    for (T& element : pin.elements()) std::invoke(f, i++, element);
  }
  barrier(a.world());
}

/// Collective: sets every element to `value`. Ordering, threads, cost: as for_each.
/// Checked by: cached_array_test.algorithms_visit_every_element
template <class T, access_order Order>
void fill(const cached_view<T, Order>& a, const std::type_identity_t<T>& value) {
  for_each(a, [&](std::uint64_t, T& element) { element = value; });
}

/// Collective: init op a[0] op a[1] ... on every rank, grouped as reduce of far::array does.
/// Checked by: cached_array_test.algorithms_visit_every_element
template <class T, access_order Order, class Op = std::plus<>>
  requires reduction<Op, T>
[[nodiscard]] T reduce(const cached_view<T, Order>& a, std::type_identity_t<T> init, Op op = {}) {
  barrier(a.world());
  detail::maybe<T> part{init, false};
  for (std::uint64_t i = a.local_begin(); i < a.local_end();) {
    const read_pin<T> pin = a.pin_read(i);
    for (const T& element : pin.elements()) {
      part.value = part.present ? T(std::invoke(op, part.value, element)) : element;
      part.present = true;
      ++i;
    }
  }
  part = allreduce(a.world(), part, detail::combine_present<T, Op>{op});
  return part.present ? T(std::invoke(op, init, part.value)) : init;
}

}  // namespace far
