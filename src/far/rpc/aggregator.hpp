#pragma once
// Many small calls as few large messages.

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/check.hpp"
#include "far/rpc/call.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

/// Runs a function on each list of arguments of a batch.
template <class F, class... Args>
struct run_each {
  [[no_unique_address]] F function;

  static constexpr function_wants wants = function_traits<F, Args...>::wants;

  void operator()(rank_state& state, const std::vector<std::byte>& batch)
    requires(wants != function_wants::world)
  {
    if constexpr (wants == function_wants::rank_state) {
      run(batch, state);
    } else {
      run(batch);
    }
  }
  void operator()(world& view, const std::vector<std::byte>& batch)
    requires(wants == function_wants::world)
  {
    run(batch, view);
  }

 private:
  template <class... First>
  void run(const std::vector<std::byte>& batch, First&... first) {
    wire::reader reader(batch);
    while (!reader.left().empty()) {
      std::tuple<Args...> arguments{reader.get<Args>()...};  // braces fix the order
      std::apply([&](Args&... args) { (void)std::invoke(function, first..., std::move(args)...); },
                 arguments);
    }
  }
};

}  // namespace detail

/// Calls function(args...) on the ranks that it is told, many calls to a message: a buffer for
/// each rank goes out when it is full, or at flush.
///
///     far::aggregator<add_to_bin, int> add(world, add_to_bin{});   // or: make_aggregator<int>
///     for (...) add(owner, bin);
///     add.flush();
///
/// Results are dropped. Functions are as those of far::rpc, but do not return futures.
///
/// Completion: flush returns when all calls have run.
/// Ordering: calls to one rank from one aggregator may run in any order.
/// Progress: as far::rpc; a call waits for room when many messages are under way.
/// Threads: belongs to the view's thread.
/// Cost: a message per max_payload bytes of arguments; a copy of each into the buffer.
/// Errors: those of the functions, at a later call or at flush; a function that throws ends its
/// batch. rank_failed.
/// Checked by: aggregator_test.runs_each_call_once, aggregator_test.failures_reach_flush
template <class F, class... Args>
class aggregator {
  static_assert(sizeof...(Args) > 0, "far::aggregator: a call without arguments has no bytes");
  static_assert(!detail::function_traits<F, Args...>::returns_future,
                "far::aggregator: nobody waits for what the function returns");

 public:
  explicit aggregator(const world& view, F function = {})
      : view_(view),
        function_{function},
        // Flags, function and length go before the batch.
        limit_(view.fabric().max_payload() - sizeof(F) - 16),
        buffers_(static_cast<std::size_t>(view.size())) {}
  aggregator(const aggregator&) = delete;
  aggregator& operator=(const aggregator&) = delete;
  ~aggregator() {
    FAR_CHECK(waiting_ == 0 || std::uncaught_exceptions() > 0,
              "an aggregator is flushed before it goes");
  }

  /// May send, and then may wait.
  void operator()(int rank, const Args&... args) {
    std::vector<std::byte>& buffer = buffers_.at(static_cast<std::size_t>(rank));
    const std::size_t bytes = wire::bytes_of(args...);
    if (!buffer.empty() && buffer.size() + bytes > limit_) send(rank);
    if (buffer.empty()) buffer.reserve(bytes > limit_ ? bytes : limit_);
    const std::size_t before = buffer.size();
    buffer.resize(before + bytes);
    wire::writer(buffer.data() + before)(args...);
    ++waiting_;
  }

  /// Sends what is left and waits until all calls have run.
  void flush() {
    waiting_ = 0;  // whatever is thrown: the calls are not tried again
    for (int i = 1; i <= view_.size(); ++i) {
      const int rank = (view_.rank() + i) % view_.size();  // not all ranks to the same one
      if (!buffers_[static_cast<std::size_t>(rank)].empty()) send(rank);
    }
    while (!under_way_.empty()) wait_for_oldest();
  }

 private:
  static constexpr std::size_t most_under_way = 64;

  void send(int rank) {
    if (under_way_.size() >= most_under_way) wait_for_oldest();
    std::vector<std::byte>& buffer = buffers_[static_cast<std::size_t>(rank)];
    under_way_.push_back(rpc(view_, rank, function_, buffer));
    buffer.clear();
  }
  void wait_for_oldest() {
    future<void> oldest = std::move(under_way_.front());
    under_way_.pop_front();
    oldest.get();
  }

  world view_;
  detail::run_each<F, Args...> function_;
  std::size_t limit_;  // bytes of a batch
  std::vector<std::vector<std::byte>> buffers_;
  std::size_t waiting_ = 0;  // calls made since the last flush
  std::deque<future<void>> under_way_;
};

/// Deduces the function's type: auto add = far::make_aggregator<int>(world, [](int bin) {...});
template <class... Args, class F>
[[nodiscard]] aggregator<F, Args...> make_aggregator(const world& view, F function) {
  return aggregator<F, Args...>(view, function);
}

}  // namespace far
