#pragma once
// Records who asked what of a structure and when, and what was answered.
//
//   history<operation, result> log(world.size());          // shared by all ranks
//   ...                                                     // each rank:
//   const auto asked = log.invoke(world.rank(), operation);
//   log.respond(asked, the_structure.does(operation));
//   ...                                                     // after a barrier, one of them:
//   log.calls()
//
// Threads: processes may be threads of one process or fibers of one thread. Not forked processes,
// which would each write a copy of their own. Each process (of the history: a thread or fiber, or
// a part of one) writes a log of its own; `calls` and `clear` come when none of them is at work,
// as after a barrier.
//
// Events are ordered by tickets from one counter. A call's first ticket is drawn before the
// structure hears of it and the last after its answer, so one call ends before another begins
// here only if it did. Drawing acquires and releases, so it orders what is done on either side of
// it, whatever the structure itself orders: nothing right is ever rejected for the way it was
// recorded, but a structure that needs such help may go unnoticed among threads.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "far/base/error.hpp"

namespace far::linearizability {

/// One operation of a history. Without a result it is pending: its process never heard of it
/// again, and it may have taken place at any time since, or not at all.
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

  /// Names a call that has been invoked.
  struct token {
    int process;
    std::size_t index;
  };

  explicit history(int processes) : logs_(checked_count(processes)) {}

  /// A process may have several calls under way.
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

  /// All calls, by process and in the order of each.
  [[nodiscard]] std::vector<call_type> calls() const {
    std::vector<call_type> all;
    for (const log& one : logs_) all.insert(all.end(), one.calls.begin(), one.calls.end());
    return all;
  }

  /// For the next run.
  void clear() {
    for (log& one : logs_) one.calls.clear();
    tickets_ = 0;
    ++runs_;
  }
  /// How often it was cleared.
  [[nodiscard]] std::uint64_t runs() const noexcept { return runs_; }

 private:
  struct alignas(64) log {  // a cache line each, lest recording couples the processes
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
  std::uint64_t runs_ = 0;
};

}  // namespace far::linearizability
