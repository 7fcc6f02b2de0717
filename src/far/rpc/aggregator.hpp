#pragma once
// Aggregates many small calls into few large messages.

#include <cstddef>

#include "far/fabric/handlers.hpp"
#include "far/rpc/batch_handler.hpp"
#include "far/rpc/batch_sender.hpp"
#include "far/rpc/function.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far {

/// Calls function(args...) on the given ranks, many calls to a message.
///
///     far::aggregator<add_to_bin, int> add(world, add_to_bin{});   // or: make_aggregator<int>
///     for (...) add(owner, bin);
///     add.flush();
///
/// Calls to a rank gather in a buffer. The buffer is sent when it is full, when the oldest call in
/// it has waited for options.patience_ns and the owner pushes or polls, when all buffers are in use
/// and another rank needs one, at flush, and when the aggregator is destroyed.
///
/// Results are dropped. Functions are as those of far::rpc, but do not return futures; functions
/// that make calls by an aggregator of the rank that they run on use pass_on.
///
/// Completion: flush returns when all calls made before have run.
/// Ordering: calls to one rank from one aggregator may run in any order. Those of one message run
///   one after the other, in the order in which they were made.
/// Progress: as far::rpc. A call waits, making progress, while as much is in flight as options
///   allow, or the target has no space; whatever other ranks do, it continues once the target makes
///   progress (batch_sender.hpp says why).
/// Threads: belongs to the view's thread, except pass_on.
/// Memory: options.buffer_bytes, options.max_in_flight_bytes, 24 bytes a rank, one call that is
///   larger, and what functions pass on; aggregator_counts reports what was used.
/// Cost: a copy of the arguments into the buffer; a message each way for each buffer sent; a look
///   at the clock once in up to 64 pushes, and at each push where pushes are rare.
/// Errors: bad_argument for an invalid rank, or options that leave no space for a call;
///   rank_failed. What functions throw: flush throws the first of these when all calls have run,
///   far::quiesce throws that of calls left to the destructor.
/// Checked by: aggregator_test.runs_each_call_once, aggregator_test.failures_reach_flush,
/// aggregator_bounds_test.memory_stays_within_bounds, aggregator_test.goes_with_what_it_holds,
/// AggregatorTime.PatienceEndsAtAPush, aggregator_storm_test.functions_pass_on
template <class F, class... Args>
class aggregator {
  static_assert(sizeof...(Args) > 0, "far::aggregator: a call without arguments has no bytes");
  static_assert(!detail::function_traits<F, Args...>::returns_future,
                "far::aggregator: results are dropped, so the function must not return a future");

 public:
  explicit aggregator(const world& world, F function = {}, const aggregator_options& options = {})
      : sender_(world, fabric::handler_of<detail::batch_handler<F, Args...>>::index(),
                detail::batch_prefix(function), options) {}

  /// May send, and then may wait.
  void operator()(int rank, const Args&... args) {
    const std::size_t bytes = wire::bytes_of(args...);
    detail::batch_end* const end = sender_.space_for(rank, bytes);
    if (end == nullptr) [[unlikely]] {
      return sender_.send_large(rank, bytes, [&](std::byte* to) { write(to, args...); });
    }
    end->at = write(end->at, args...);
  }

  /// The same for functions and continuations that run on this rank, on any thread: keeps the call,
  /// in unbounded memory, until the owner pushes, polls or flushes, and never waits. When functions
  /// pass calls on repeatedly, far::settle returns after all of them have run.
  ///
  /// Errors: as for a call; those of passed-on calls reach this rank's flush.
  /// Checked by: aggregator_storm_test.functions_pass_on
  void pass_on(int rank, const Args&... args) {
    sender_.pass_on(rank, wire::bytes_of(args...), [&](std::byte* to) { write(to, args...); });
  }

  /// Makes progress, and sends the calls that have waited too long or were passed on.
  void poll() { sender_.poll(); }
  /// Sends all gathered and passed-on calls, and waits until all of them have run.
  void flush() { sender_.flush(); }

  [[nodiscard]] aggregator_counts counts() const { return sender_.counts(); }
  /// For far::settle.
  [[nodiscard]] detail::batch_sender& sender() noexcept { return sender_; }

 private:
  static std::byte* write(std::byte* to, const Args&... args) {
    wire::writer writer(to);
    writer(args...);
    return writer.at();
  }
  detail::batch_sender sender_;
};

/// Deduces the function's type: auto add = far::make_aggregator<int>(world, [](int bin) {...});
template <class... Args, class F>
[[nodiscard]] aggregator<F, Args...> make_aggregator(const world& world, F function,
                                                     const aggregator_options& options = {}) {
  return aggregator<F, Args...>(world, function, options);
}

}  // namespace far
