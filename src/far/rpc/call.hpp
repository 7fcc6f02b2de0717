#pragma once
// Remote procedure calls: run a function on another rank, and return its result.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "far/fabric/handlers.hpp"
#include "far/rma/future.hpp"
#include "far/rpc/function.hpp"
#include "far/rpc/handler.hpp"
#include "far/rpc/pending_call.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

/// Options of a call, where the defaults do not fit.
struct call_options {
  int lane = 0;
  /// Inline space for the result; a larger one is fetched afterwards. 0: by its type.
  std::uint32_t reply_bytes = 0;
};

/// The message class of calls from this view. Errors: bad_argument in nested functions.
[[nodiscard]] fabric::message_class class_of_call(const world& world);

/// Inline space for results of type T: all of it if the type fixes the size.
template <class T>
[[nodiscard]] constexpr std::uint32_t reply_bytes_for() {
  if constexpr (std::is_void_v<T>) {
    return min_reply_bytes;
  } else {
    constexpr std::size_t fixed = wire::fixed_bytes<T>();
    constexpr std::uint32_t guess = 216;  // four cells of shm with their header
    constexpr std::size_t max = 960;      // below the smallest max_payload of the fabrics
    if constexpr (fixed == 0) return guess;
    if constexpr (fixed > max) return min_reply_bytes;
    return static_cast<std::uint32_t>(fixed < min_reply_bytes ? min_reply_bytes : fixed + 1);
  }
}

/// Builds the message, inline or kept apart, and passes it to send(message, kept).
template <class Handler, class F, class Send, class... Args>
void with_call_message(const world& world, int rank, const call_options& options, const F& function,
                       Send send, const Args&... args) {
  fabric::send_request message;
  message.kind = class_of_call(world);
  message.rank = rank;
  message.lane = options.lane;
  message.handler = fabric::handler_of<Handler>::index();
  const auto flags = world.thread() < 0 ? request_flags::nested : request_flags::none;
  const auto write = [&](auto& archive) {
    if constexpr (!is_stateless<F>) archive(function);
    archive(args...);
  };
  wire::counter counter;
  write(counter);
  const std::size_t bytes = 1 + counter.bytes();
  if (bytes <= world.fabric().max_payload()) {
    message_buffer buffer(bytes);
    wire::writer writer(buffer.data());
    writer(flags);
    write(writer);
    message.head = buffer.bytes();
    send(message, kept_bytes{});
  } else {
    auto& room = world.state().get<rpc_store>();
    const kept_bytes kept = room.keep(counter.bytes());
    wire::writer writer(room.memory_of(kept));
    write(writer);
    message_buffer buffer(1 + sizeof(kept));
    wire::writer(buffer.data())(flags | request_flags::elsewhere, kept);
    message.head = buffer.bytes();
    send(message, kept);
  }
}

template <class F, class... Args>
auto start_call(const world& world, int rank, const call_options& options, const F& function,
                const Args&... args) {
  check_callable<F>();
  using traits = function_traits<F, arrives_as<Args>...>;
  using value = typename traits::value;
  using handler = rpc_handler<F, arrives_as<Args>...>;
  auto state = make_state<call_state<value>>(world.context(), world.state(), rank);
  const auto send = [&](fabric::send_request& message, const kept_bytes& kept) {
    const std::uint32_t room =
        options.reply_bytes != 0 ? options.reply_bytes : reply_bytes_for<value>();
    send_request(*state, message, room, kept);
  };
  with_call_message<handler>(world, rank, options, function, send, as_written(args)...);
  return future<value>(state_ref<future_state<value>>(std::move(state)));
}

template <class F, class... Args>
void start_one_way(const world& world, int rank, const call_options& options, const F& function,
                   const Args&... args) {
  check_callable<F>();
  using handler = rpc_handler<F, arrives_as<Args>...>;
  static_assert(function_traits<F, arrives_as<Args>...>::wants != function_wants::impossible);
  const auto send = [&](fabric::send_request& message, const kept_bytes& kept) {
    if (!kept.place) return world.context().send(message);
    const auto call = make_state<kept_one_way>(world.context(), world.state());
    send_request(*call, message, min_reply_bytes, kept);
  };
  with_call_message<handler>(world, rank, options, function, send, as_written(args)...);
}

}  // namespace detail

/// Calls function(args...) on `rank` and returns a future of its result.
///
/// The function is a lambda without captures, or with captures that are trivially copyable and
/// mean the same everywhere. Its arguments and result are serializable types (serialize.hpp) of any
/// size: what does not fit in a message stays in the sender's local memory and is fetched. Views
/// and C strings arrive as vectors and strings. Call a named function as
/// far::rpc<function>(world, rank, args...).
///
/// It may take one more parameter, first:
///   - far::rank_state&: the target's, to find what is attached there;
///   - far::world&: the target's view. Then it runs as a task of the lane and may start operations
///     and further calls. It returns a future made with that view (copy the view into
///     continuations), and the caller's future is ready when that one is. A function that it calls
///     must not make further calls, which could deadlock.
/// It must never wait: other calls to its rank, and their replies, would wait for it.
///
/// What it throws is thrown by the future's get: libfar's exceptions with their type, others as
/// far::error, with the text of what().
///
/// Completion: the future is ready when the function has run (and its future is ready).
/// Ordering: none between calls, or against puts.
/// Progress: the target's, in any call that waits or in world.progress(); or its service thread.
/// Threads: functions on one rank run one at a time, on whatever thread makes progress.
/// Cost: one message each way; one allocation here, none there for small arguments. Large
/// arguments or results: one get more each, and space in the local segment.
/// Errors: bad_argument for an invalid rank; out_of_memory; rank_failed.
/// Checked by: call_test.carries_all_kinds_of_arguments, answer_test.exceptions_travel,
/// answer_test.late_replies, large_call_test.large_arguments_and_results,
/// progress_test.storms_do_not_deadlock
template <class F, class... Args>
auto rpc(const world& world, int rank, F&& function, const Args&... args) {
  return detail::start_call(world, rank, {}, static_cast<const std::decay_t<F>&>(function),
                            args...);
}
template <auto Function, class... Args>
auto rpc(const world& world, int rank, const Args&... args) {
  return detail::start_call(world, rank, {}, detail::constant_function<Function>{}, args...);
}

/// The same without a result. Only far::quiesce says when the function has run, and throws what it
/// threw.
/// Checked by: progress_test.one_way_calls, progress_test.one_way_failures_reach_quiesce
template <class F, class... Args>
void rpc_oneway(const world& world, int rank, F&& function, const Args&... args) {
  detail::start_one_way(world, rank, {}, static_cast<const std::decay_t<F>&>(function), args...);
}
template <auto Function, class... Args>
void rpc_oneway(const world& world, int rank, const Args&... args) {
  detail::start_one_way(world, rank, {}, detail::constant_function<Function>{}, args...);
}

}  // namespace far
