#pragma once
// Records the calls of a structure: who called what and when, and the results.
//
//   history<operation, result> log(world.size());          // shared by all ranks
//   ...                                                     // each rank:
//   const auto asked = log.invoke(world.rank(), operation);
//   log.respond(asked, the_structure.does(operation));
//   ...                                                     // after a barrier, one of them:
//   log.calls()
//
// Threads: processes may be threads of one process or fibers of one thread, but not forked
//   processes, which would each write their own copy. Each process (of the history: a thread or
//   fiber, or a part of one) writes its own log. `calls` and `clear` may only be called while no
//   process records, as after a barrier.
//
// Events are ordered by tickets from one counter. A call's first ticket is drawn before the
// structure is called, and its last one after it has returned. So one call ends before another
// begins in the history only if it really did. Drawing a ticket acquires and releases, so it orders
// everything before and after it, whatever the structure itself orders. So recording never leads to
// the rejection of a correct structure; but among threads, a structure that lacks this ordering may
// go unnoticed.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "far/base/error.hpp"

namespace far::linearizability {

/// One operation of a history. A call without a result is pending: its process has got no response,
/// and it may have taken place at any time since its invocation, or not at all.
template <class Operation, class Result>
struct call {
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  int process = 0;
  Operation operation{};
  std::optional<Result> result{};
  std::uint64_t invoked = 0;  // tickets
  std::uint64_t responded = never;
};

template <class Operation, class Result>
class history {
 public:
  using call_type = call<Operation, Result>;

  /// Identifies a call that has been invoked.
  struct token {
    int process;
    std::size_t index;
  };

  explicit history(int processes) : logs_(checked_count(processes)) {}

  /// A process may have several calls in flight.
  token invoke(int process, Operation operation) {
    auto& calls = log_of(process);
    calls.push_back({process, std::move(operation), {}, 0, call_type::never});
    calls.back().invoked = draw();
    return {process, calls.size() - 1};
  }

  void respond(token which, Result result) {
    const std::uint64_t now = draw();
    call_type& call = log_of(which.process).at(which.index);
    if (call.result) throw bad_argument("history: a call was answered twice");
    call.result = std::move(result);
    call.responded = now;
  }

  /// All calls, by process, and in order within each process.
  [[nodiscard]] std::vector<call_type> calls() const {
    std::vector<call_type> all;
    for (const log& one : logs_) all.insert(all.end(), one.calls.begin(), one.calls.end());
    return all;
  }

  /// Clears the history for the next run.
  void clear() {
    for (log& one : logs_) one.calls.clear();
    tickets_ = 0;
  }

 private:
  struct alignas(64) log {  // a cache line each, so that recording does not couple the processes
    std::vector<call_type> calls;
  };

  static std::size_t checked_count(int processes) {
    if (processes < 1) throw bad_argument("history: wants one process at least");
    return static_cast<std::size_t>(processes);
  }
  std::vector<call_type>& log_of(int process) {
    return logs_.at(static_cast<std::size_t>(process)).calls;
  }
  std::uint64_t draw() noexcept { return tickets_.fetch_add(1, std::memory_order_acq_rel); }

  std::vector<log> logs_;
  std::atomic<std::uint64_t> tickets_{0};
};

}  // namespace far::linearizability
