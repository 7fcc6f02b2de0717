#pragma once
// Histories from random numbers, and a simple oracle, against which the checker is tested.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "far/base/random.hpp"
#include "test/linearizability/specification.hpp"

namespace far::linearizability {

struct shape {
  int processes = 3;
  std::size_t calls = 10;
  /// Approximate number of other calls during each call.
  std::uint64_t overlap = 4;
  /// The percentage of calls that are never answered.
  std::uint64_t pending_percent = 0;
};

/// Replaces moments, some of which may be equal, by tickets 0, 1, 2, ...
template <class Call>
void number_events(std::vector<Call>& calls) {
  std::vector<std::tuple<std::uint64_t, bool, std::size_t>> events;  // moment, answer, call
  for (std::size_t i = 0; i < calls.size(); ++i) {
    events.emplace_back(calls[i].invoked, false, i);
    if (calls[i].result) events.emplace_back(calls[i].responded, true, i);
  }
  std::ranges::sort(events);
  for (std::size_t ticket = 0; ticket < events.size(); ++ticket) {
    const auto& [moment, answer, i] = events[ticket];
    (answer ? calls[i].responded : calls[i].invoked) = ticket;
  }
}

/// A linearizable history: a sequential run in which each call is stretched around its moment.
/// `choose(process, state)` returns the next operation, which need not be possible in that state.
template <specification S, class Choose>
std::vector<call_of<S>> stretched_run(const S& spec, const shape& wanted, base::random& random,
                                      Choose choose) {
  constexpr std::uint64_t unit = 1024;
  const std::uint64_t reach = wanted.overlap * unit / 2 + 1;
  std::vector<call_of<S>> calls;
  struct last_call {
    std::size_t index;
    std::uint64_t moment;
  };
  std::vector<std::optional<last_call>> last(static_cast<std::size_t>(wanted.processes));
  typename S::state state = spec.initial();
  for (std::uint64_t moment = reach; calls.size() < wanted.calls; moment += unit) {
    const auto process = static_cast<std::size_t>(random.below(last.size()));
    if (last[process] && !calls[last[process]->index].result) continue;  // it never returned
    call_of<S> call;
    call.process = static_cast<int>(process);
    call.operation = choose(call.process, std::as_const(state));
    auto after = state;
    const auto result = spec.apply(after, call.operation);
    if (!result) continue;
    state = std::move(after);
    std::uint64_t earliest = moment - random.below(reach);
    if (last[process]) {
      auto& before = calls[last[process]->index];
      const std::uint64_t gap = moment - last[process]->moment;
      before.responded = std::min(before.responded, last[process]->moment + random.below(gap));
      earliest = std::max(earliest, before.responded + 1);
    }
    call.invoked = std::min(earliest, moment);
    if (random.below(100) >= wanted.pending_percent) {
      call.result = *result;
      call.responded = moment + random.below(reach);
    }
    last[process] = {calls.size(), moment};
    calls.push_back(std::move(call));
    const bool all_gone = std::ranges::all_of(
        last, [&](const auto& one) { return one && !calls[one->index].result; });
    if (all_gone) break;
  }
  number_events(calls);
  return calls;
}

/// Tries all orders, without memory or other optimizations.
template <specification S>
class every_order {
 public:
  every_order(const S& spec, const std::vector<call_of<S>>& calls)
      : spec_(spec), calls_(calls), used_(calls.size(), false) {}

  [[nodiscard]] bool one_explains() { return extend(spec_.initial()); }

 private:
  bool extend(const typename S::state& state) {
    bool complete = true;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      complete = complete && (used_[i] || !calls_[i].result);
    }
    if (complete) return true;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (used_[i] || is_late(i)) continue;
      typename S::state after = state;
      if (!takes_place(spec_, after, calls_[i].operation, calls_[i].result)) continue;
      used_[i] = true;
      const bool found = extend(after);
      used_[i] = false;
      if (found) return true;
    }
    return false;
  }
  /// Whether another call that is not used yet ended before call i began.
  [[nodiscard]] bool is_late(std::size_t i) const {
    for (std::size_t other = 0; other < calls_.size(); ++other) {
      if (!used_[other] && calls_[other].responded < calls_[i].invoked) return true;
    }
    return false;
  }

  const S& spec_;
  const std::vector<call_of<S>>& calls_;
  std::vector<bool> used_;
};

/// Whether `order` explains the calls: it contains all answered calls, none twice, none behind a
/// call that began after it had ended, and the results are right.
template <specification S>
[[nodiscard]] bool explains(const S& spec, const std::vector<call_of<S>>& calls,
                            const std::vector<std::size_t>& order) {
  std::vector<bool> used(calls.size(), false);
  std::uint64_t begun = 0;  // the latest beginning so far
  typename S::state state = spec.initial();
  for (const std::size_t i : order) {
    if (used.at(i) || calls[i].responded < begun) return false;
    used[i] = true;
    begun = std::max(begun, calls[i].invoked);
    if (!takes_place(spec, state, calls[i].operation, calls[i].result)) return false;
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].result && !used[i]) return false;
  }
  return true;
}

}  // namespace far::linearizability
