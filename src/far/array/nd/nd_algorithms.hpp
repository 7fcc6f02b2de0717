#pragma once
// Collective algorithms on all elements of an N-dimensional array. Each rank works on its own
// block, with plain loads and stores, between barriers, which separate this from accesses before
// and after.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>

#include "far/array/algorithms.hpp"
#include "far/array/nd/nd_array_view.hpp"
#include "far/array/nd/section.hpp"
#include "far/team/barrier.hpp"
#include "far/team/reduce.hpp"

namespace far {
namespace detail {

/// Calls f(index of the row's first element, pointer to it, number) for the rows of memory that
/// holds a section.
template <class T, std::size_t N, class F>
void for_each_row(const section<N>& of, const strided_span<T, N>& memory, F f) {
  if (of.empty()) return;
  section<N> rows = of;
  rows.extents[N - 1] = 1;
  for_each_index(rows, [&](const nd_index<N>& first) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < N; ++k) {
      offset += static_cast<std::int64_t>(first[k] - of.begin[k]) * memory.strides[k];
    }
    f(first, memory.first + offset, of.extents[N - 1]);
  });
}

template <class T, std::size_t N>
void check_same_extents(const char* what, const nd_array_view<T, N>& a,
                        const nd_array_view<T, N>& b) {
  if (a.extents() != b.extents()) throw_arrays(what, a.extents(), b.extents());
}

}  // namespace detail

/// Collective: calls f(index, element) for every element on its owner, each owner in the order of
/// indices. f may change its element.
/// Ordering: a barrier before, a barrier after. Threads: one per rank.
/// Cost: two barriers and the calls.
/// Errors: what f throws; that ends the job unless all ranks throw. rank_failed.
/// Checked by: nd_algorithms_test.every_element_once
template <class T, std::size_t N, class F>
  requires std::invocable<F&, const nd_index<N>&, T&>
void for_each(const nd_array_view<T, N>& a, F f) {
  barrier(a.world());
  detail::for_each_row(a.own_block(), a.local(),
                       [&](nd_index<N> index, T* row, std::uint64_t count) {
                         for (std::uint64_t i = 0; i < count; ++i, ++index[N - 1]) {
                           std::invoke(f, std::as_const(index), row[i]);
                         }
                       });
  barrier(a.world());
}

/// Collective: sets every element to `value`. Otherwise as for_each.
/// Checked by: nd_algorithms_test.fill_scale_copy_and_dot
template <class T, std::size_t N>
void fill(const nd_array_view<T, N>& a, const std::type_identity_t<T>& value) {
  for_each(a, [&](const nd_index<N>&, T& element) { element = value; });
}

/// Collective: multiplies every element by `factor`. Otherwise as for_each.
/// Checked by: nd_algorithms_test.fill_scale_copy_and_dot
template <class T, std::size_t N>
void scale(const nd_array_view<T, N>& a, const std::type_identity_t<T>& factor) {
  for_each(a, [&](const nd_index<N>&, T& element) { element *= factor; });
}

/// Collective: copies all elements of an array to one of the same extents, distributed in any way.
/// Each rank reads the elements of its own block of `to`.
/// Ordering: a barrier before, a barrier after. Threads: one per rank.
/// Errors: bad_argument for other extents; rank_failed.
/// Checked by: nd_algorithms_test.fill_scale_copy_and_dot
template <class T, std::size_t N>
void copy(const nd_array_view<T, N>& from, const nd_array_view<T, N>& to) {
  detail::check_same_extents("copy", from, to);
  barrier(to.world());
  if (const section<N> own = to.own_block(); !own.empty()) from.get(own, to.local());
  barrier(to.world());
}

/// Collective: init op f(x) for all elements x, in the order of blocks, on every rank. `op` must be
/// associative.
/// Ordering: a barrier before; no rank returns before all elements have been read.
/// Cost: a barrier, the calls, and an allreduce of one object.
/// Checked by: nd_algorithms_test.reductions
template <class T, std::size_t N, class Op = std::plus<>>
  requires reduction<Op, T>
[[nodiscard]] T reduce(const nd_array_view<T, N>& a, std::type_identity_t<T> init, Op op = {}) {
  barrier(a.world());
  detail::maybe<T> part{init, false};
  detail::for_each_row(a.own_block(), a.local(),
                       [&](const nd_index<N>&, const T* row, std::uint64_t count) {
                         for (std::uint64_t i = 0; i < count; ++i) {
                           part.value = part.present ? std::invoke(op, part.value, row[i]) : row[i];
                           part.present = true;
                         }
                       });
  part = allreduce(a.world(), part, detail::combine_present<T, Op>{op});
  return part.present ? T(std::invoke(op, init, part.value)) : init;
}

/// Collective: the sum of a[i] * b[i], on every rank (of complex numbers, too, none is conjugated).
/// The arrays have the same extents, and are distributed in any way.
/// Ordering: a barrier before; no rank returns before all elements have been read.
/// Cost: a barrier, an allreduce, and, if the distributions differ, a get of each block.
/// Errors: bad_argument for other extents; rank_failed.
/// Checked by: nd_algorithms_test.fill_scale_copy_and_dot
template <class T, std::size_t N>
[[nodiscard]] T dot(const nd_array_view<T, N>& a, const nd_array_view<T, N>& b) {
  detail::check_same_extents("dot", a, b);
  barrier(a.world());
  const section<N> own = a.own_block();
  std::unique_ptr<T[]> fetched;
  strided_span<T, N> other = b.local();
  if (b.own_block() != own) {
    fetched = std::make_unique_for_overwrite<T[]>(own.size());
    other = dense(fetched.get(), own.extents);
    if (!own.empty()) b.get(own, other);
  }
  T sum{};
  detail::for_each_row(
      own, a.local(), [&](const nd_index<N>& first, const T* row, std::uint64_t count) {
        std::int64_t offset = 0;
        for (std::size_t k = 0; k < N; ++k) {
          offset += static_cast<std::int64_t>(first[k] - own.begin[k]) * other.strides[k];
        }
        const T* const beside = other.first + offset;
        for (std::uint64_t i = 0; i < count; ++i) sum += row[i] * beside[i];
      });
  return allreduce(a.world(), sum);
}

}  // namespace far
