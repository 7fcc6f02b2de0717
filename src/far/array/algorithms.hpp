#pragma once
// Collective algorithms on all elements of an array. Each rank works on its own part, with plain
// loads and stores, between barriers, which separate this from accesses before and after.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

#include "far/array/array_view.hpp"
#include "far/team/barrier.hpp"
#include "far/team/reduce.hpp"

namespace far {
namespace detail {

/// A rank's contribution to a reduction; absent if the rank has no elements.
template <class T>
struct maybe {
  T value;
  bool present;
};

template <class T, class Op>
struct combine_present {
  Op op;
  maybe<T> operator()(const maybe<T>& a, const maybe<T>& b) const {
    if (!a.present) return b;
    if (!b.present) return a;
    // For types that arithmetic widens.
    return {static_cast<T>(std::invoke(op, a.value, b.value)), true};
  }
};

}  // namespace detail

/// Collective: calls f(index, element) for every element on its owner. Each owner calls it in the
/// order of the indices. f may change its element. It may access elements of other ranks, but only
/// by one-sided operations.
///
/// Ordering: a barrier before, a barrier after.
/// Threads: one per rank.
/// Cost: two barriers and the calls.
/// Errors: what f throws; that ends the job unless all ranks throw. rank_failed.
/// Checked by: algorithms_test.for_each_visits_every_element
template <class T, class F>
  requires std::invocable<F&, std::uint64_t, T&>
void for_each(const array_view<T>& a, F f) {
  barrier(a.world());
  std::uint64_t index = a.local_begin();
  for (T& element : a.local()) std::invoke(f, index++, element);
  barrier(a.world());
}

/// Collective: sets every element to `value`.
/// Ordering, threads, cost: as for_each.
/// Checked by: algorithms_test.fill_sets_every_element
template <class T>
void fill(const array_view<T>& a, const std::type_identity_t<T>& value) {
  barrier(a.world());
  std::ranges::fill(a.local(), value);
  barrier(a.world());
}

/// Collective: returns init op a[0] op a[1] ... op a[n-1] on every rank. `op` must be associative
/// and the same on all ranks; it need not be commutative. The grouping depends only on n and the
/// number of ranks, so a sum of floating-point numbers is the same in every run.
///
/// Ordering: a barrier before; no rank returns before all elements have been read.
/// Threads: one per rank.
/// Cost: a barrier, the calls, and an allreduce of one object.
/// Errors: rank_failed.
/// Checked by: algorithms_test.reduce_keeps_the_order, algorithms_test.reduce_of_nothing_is_init
template <class T, class Op = std::plus<>>
  requires reduction<Op, T>
[[nodiscard]] T reduce(const array_view<T>& a, std::type_identity_t<T> init, Op op = {}) {
  barrier(a.world());
  const std::span<const T> mine = a.local();
  detail::maybe<T> part{init, !mine.empty()};
  if (part.present) {
    part.value = mine.front();
    for (const T& element : mine.subspan(1)) {
      part.value = static_cast<T>(std::invoke(op, part.value, element));
    }
  }
  part = allreduce(a.world(), part, detail::combine_present<T, Op>{op});
  return part.present ? T(std::invoke(op, init, part.value)) : init;
}

}  // namespace far
