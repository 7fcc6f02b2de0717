#pragma once
// Non-blocking put and get, which return a future of their completion.

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

future<void> start_put(const world& world, std::span<const put_part> parts,
                       const signal* after = nullptr);
future<void> start_get(const world& world, std::span<const get_part> parts);

// Slow paths, for objects that cannot be reached by instructions. They are not inlined and return a
// state instead of a future, so that the caller's ready futures stay in registers.
template <class T>
[[nodiscard, gnu::noinline]] detail::state_ref<detail::future_state<void>> start_keep(
    fabric::context& context, fabric::address to, T value) {
  return issue<void>(detail::make_state<keep<T>>(context, "put", to.rank(), value),
                     [&](keep<T>& op) {
                       const put_part whole{to, op.value(), sizeof(T)};
                       context.put({&whole, 1}, &op);
                     });
}
template <class T>
[[nodiscard, gnu::noinline]] detail::state_ref<detail::future_state<T>> start_fetch(
    fabric::context& context, fabric::address from) {
  return issue<T>(detail::make_state<fetch<T>>(context, "get", from.rank()), [&](fetch<T>& op) {
    const get_part whole{from, op.landing(), sizeof(T)};
    context.get({&whole, 1}, &op);
  });
}

}  // namespace rma

// For all of these:
// Completion: the future is ready when the operation is complete: for a put remotely, including its
//   signal. Until then `from` must not change, and the content of `to` is unspecified. Both must
//   live until then, even if the future is dropped.
// Ordering: none between two operations, unless one was complete, or flushed, before the other
//   was started.
// Progress: this thread must wait or poll.
// Threads: any, each with its own view.
// Cost: on a direct fabric as the blocking ones, which are then done at once; else one allocation.
// Errors: out_of_bounds and bad_argument from the call itself, before anything starts.

/// Writes one object. The operation keeps a copy of it.
/// Checked by: async_test.words_and_futures
template <remote_object T>
  requires(!std::is_const_v<T>)
[[nodiscard]] inline future<void> put_async(const world& world, ptr<T> to,
                                            const std::type_identity_t<T>& value) {
  if (fabric::reached(world.words(), to.address()) != nullptr) {
    put(world, to, value);
    return ready_future(world);
  }
  return future<void>(rma::start_keep<T>(world.context(), to.address(), value));
}

/// Reads one object.
/// Checked by: async_test.words_and_futures
template <remote_object T>
[[nodiscard]] inline future<std::remove_const_t<T>> get_async(const world& world, ptr<T> from) {
  using object = std::remove_const_t<T>;
  if (fabric::reached(world.words(), from.address()) != nullptr) {
    return ready_future(world, get(world, from));
  }
  return future<object>(rma::start_fetch<object>(world.context(), from.address()));
}

/// Writes all of `from`.
/// Checked by: async_test.bulk_both_ways
template <remote_object T>
  requires(!std::is_const_v<T>)
[[nodiscard]] inline future<void> put_async(const world& world, ptr<T> to,
                                            std::type_identity_t<std::span<const T>> from) {
  if (fabric::reached(world.words(), to.address()) != nullptr) {
    put(world, to, from);
    return ready_future(world);
  }
  const put_part whole = put_part_of(to, from);
  return rma::start_put(world, {&whole, 1});
}

/// Fills all of `to`.
/// Checked by: async_test.bulk_both_ways
template <remote_object T>
[[nodiscard]] inline future<void> get_async(
    const world& world, ptr<T> from, std::type_identity_t<std::span<std::remove_const_t<T>>> to) {
  if (fabric::reached(world.words(), from.address()) != nullptr) {
    get(world, from, to);
    return ready_future(world);
  }
  const get_part whole = get_part_of(from, to);
  return rma::start_get(world, {&whole, 1});
}

/// Transfer lists, to or from any ranks.
/// Checked by: async_test.lists
[[nodiscard]] inline future<void> put_async(const world& world, std::span<const put_part> parts) {
  return rma::start_put(world, parts);
}
[[nodiscard]] inline future<void> get_async(const world& world, std::span<const get_part> parts) {
  return rma::start_get(world, parts);
}

/// A put, then its signal on the same rank. The receiver waits for the signal, so the caller need
/// not wait for the put.
/// Checked by: signal_test.non_blocking_puts_signal
template <remote_object T>
  requires(!std::is_const_v<T>)
[[nodiscard]] future<void> put_async(const world& world, ptr<T> to,
                                     std::type_identity_t<std::span<const T>> from,
                                     const signal& after) {
  const put_part whole = put_part_of(to, from);
  return rma::start_put(world, {&whole, 1}, &after);
}

}  // namespace far
