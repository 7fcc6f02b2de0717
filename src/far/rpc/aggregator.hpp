#pragma once
// Many small calls as few large messages.

#include <cstddef>

#include "far/fabric/handlers.hpp"
#include "far/rpc/batch_handler.hpp"
#include "far/rpc/batch_sender.hpp"
#include "far/rpc/function.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far {

/// Calls function(args...) on the ranks that it is told, many calls to a message.
///
///     far::aggregator<add_to_bin, int> add(world, add_to_bin{});   // or: make_aggregator<int>
///     for (...) add(owner, bin);
///     add.flush();
///
/// Calls to a rank gather in a buffer, which goes out when it is full, when the oldest call in it
/// has waited for options.patience_ns and the owner pushes or polls, when all buffers are in use
/// and another rank needs one, at flush, and when the aggregator goes.
///
/// Results are dropped. Functions are as those of far::rpc, but do not return futures; those that
/// make calls by an aggregator of the rank that they run on use pass_on.
///
/// Completion: flush returns when all calls made before have run.
/// Ordering: calls to one rank from one aggregator may run in any order. Those of one message run
///   one after the other, in the order in which they were made.
/// Progress: as far::rpc. A call waits, making progress, while as much is under way as options
///   allow, or the target has no room; whatever other ranks do, it goes on once the target makes
///   progress (batch_sender.hpp says why).
/// Threads: belongs to the view's thread, but for pass_on.
/// Memory: options.buffer_bytes, options.under_way_bytes, 24 bytes a rank, one call that is larger,
///   and what functions pass on; aggregator_counts tells what was used.
/// Cost: a copy of the arguments into the buffer; a message each way for a buffer of them; the time
///   of day once in up to 64 pushes, and where pushes are rare at each.
/// Errors: bad_argument for a rank that does not exist, or options that leave no room for a call;
///   rank_failed. What functions throw: the first at flush, when all have run. Of what is left to
///   the destructor, at far::quiesce.
/// Checked by: aggregator_test.runs_each_call_once, aggregator_test.failures_reach_flush,
/// aggregator_bounds_test.memory_stays_within_bounds, aggregator_test.goes_with_what_it_holds,
/// AggregatorTime.PatienceEndsAtAPush, aggregator_storm_test.functions_pass_on
template <class F, class... Args>
class aggregator {
  static_assert(sizeof...(Args) > 0, "far::aggregator: a call without arguments has no bytes");
  static_assert(!detail::function_traits<F, Args...>::returns_future,
                "far::aggregator: nobody waits for what the function returns");

 public:
  explicit aggregator(const world& view, F function = {}, const aggregator_options& options = {})
      : sender_(view, fabric::handler_of<detail::batch_handler<F, Args...>>::index(),
                detail::batch_prefix(function), options) {}

  /// May send, and then may wait.
  void operator()(int rank, const Args&... args) {
    const std::size_t bytes = wire::bytes_of(args...);
    detail::batch_end* const end = sender_.room_for(rank, bytes);
    if (end == nullptr) [[unlikely]] {
      return sender_.send_large(rank, bytes, [&](std::byte* to) { write(to, args...); });
    }
    end->at = write(end->at, args...);
  }

  /// The same for functions and continuations that run on this rank, on whatever thread: keeps the
  /// call, in memory without a bound, until the owner pushes, polls or flushes, and never waits.
  /// Calls that functions pass on and on have all run after far::settle.
  ///
  /// Errors: as of a call; those of what was passed on reach this rank's flush.
  /// Checked by: aggregator_storm_test.functions_pass_on
  void pass_on(int rank, const Args&... args) {
    sender_.pass_on(rank, wire::bytes_of(args...), [&](std::byte* to) { write(to, args...); });
  }

  /// Makes progress, and sends what has waited too long, or was passed on.
  void poll() { sender_.poll(); }
  /// Sends what is left, and what was passed on, and waits until all of it has run.
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
[[nodiscard]] aggregator<F, Args...> make_aggregator(const world& view, F function,
                                                     const aggregator_options& options = {}) {
  return aggregator<F, Args...>(view, function, options);
}

}  // namespace far
