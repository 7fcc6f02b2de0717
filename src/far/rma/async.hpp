#pragma once
// Put and get that return at once, with a future of their completion.

#include <cstddef>
#include <span>
#include <type_traits>

#include "far/memory/ptr.hpp"
#include "far/rma/direct.hpp"
#include "far/rma/operation.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/transfer.hpp"
#include "far/world/world.hpp"

namespace far {

namespace rma {

future<void> start_put(const world& view, std::span<const put_part> parts,
                       const signal* after = nullptr);
future<void> start_get(const world& view, std::span<const get_part> parts);

}  // namespace rma

// For all of these:
// Completion: the future is ready when the operation is complete: puts remotely, with the signal
//   where there is one. Until then `from` must not change, and `to` holds nothing; both must
//   live, even if the future is dropped.
// Ordering: none between two operations, unless one was complete, or flushed, before the other
//   was started.
// Progress: this thread must wait or poll.
// Threads: any, each with its own view.
// Cost: as the blocking ones, which direct fabrics do at once; else one allocation.
// Errors: out_of_bounds and bad_argument from the call itself, before anything starts.

/// Writes one object, of which the operation keeps a copy.
/// Checked by: async_test.words_and_futures
template <remote_object T>
  requires(!std::is_const_v<T>)
[[nodiscard]] future<void> put_async(const world& view, ptr<T> to,
                                     const std::type_identity_t<T>& value) {
  if (fabric::reached(view.words(), to.address()) != nullptr) {
    put(view, to, value);
    return ready_future(view);
  }
  fabric::context& context = view.context();
  return rma::launch<void>(detail::make_state<rma::keep<T>>(context, "put", to.rank(), value),
                           [&](rma::keep<T>& op) {
                             const put_part whole{to.address(), op.value(), sizeof(T)};
                             context.put({&whole, 1}, &op);
                           });
}

/// Reads one object.
/// Checked by: async_test.words_and_futures
template <remote_object T>
[[nodiscard]] future<std::remove_const_t<T>> get_async(const world& view, ptr<T> from) {
  using object = std::remove_const_t<T>;
  if (fabric::reached(view.words(), from.address()) != nullptr) {
    return ready_future(view, get(view, from));
  }
  fabric::context& context = view.context();
  return rma::launch<object>(detail::make_state<rma::fetch<object>>(context, "get", from.rank()),
                             [&](rma::fetch<object>& op) {
                               const get_part whole{from.address(), op.landing(), sizeof(object)};
                               context.get({&whole, 1}, &op);
                             });
}

/// Writes all of `from`.
/// Checked by: async_test.bulk_both_ways
template <remote_object T>
  requires(!std::is_const_v<T>)
[[nodiscard]] future<void> put_async(const world& view, ptr<T> to,
                                     std::type_identity_t<std::span<const T>> from) {
  const put_part whole = put_part_of(to, from);
  return rma::start_put(view, {&whole, 1});
}

/// Fills all of `to`.
/// Checked by: async_test.bulk_both_ways
template <remote_object T>
[[nodiscard]] future<void> get_async(const world& view, ptr<T> from,
                                     std::type_identity_t<std::span<std::remove_const_t<T>>> to) {
  const get_part whole = get_part_of(from, to);
  return rma::start_get(view, {&whole, 1});
}

/// Lists, to or from any ranks.
/// Checked by: async_test.lists
[[nodiscard]] inline future<void> put_async(const world& view, std::span<const put_part> parts) {
  return rma::start_put(view, parts);
}
[[nodiscard]] inline future<void> get_async(const world& view, std::span<const get_part> parts) {
  return rma::start_get(view, parts);
}

/// A put and its signal, on one rank: nobody need wait for the put here at all.
/// Checked by: signal_test.non_blocking_puts_signal
template <remote_object T>
  requires(!std::is_const_v<T>)
[[nodiscard]] future<void> put_async(const world& view, ptr<T> to,
                                     std::type_identity_t<std::span<const T>> from,
                                     const signal& after) {
  const put_part whole = put_part_of(to, from);
  return rma::start_put(view, {&whole, 1}, &after);
}

}  // namespace far
