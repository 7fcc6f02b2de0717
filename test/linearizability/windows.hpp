#pragma once
// What calls tell about the order of other calls, in addition to their times: a value that was
// popped first was pushed first. With this the search skips orders of pushes that would fail only
// much later.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace far::linearizability {

/// A second time of a call, in tickets. If a call's window closes before that of another opens,
/// this call takes place, and before the other if the other does. (Invocation and response are the
/// first time.)
struct window {
  std::uint64_t opens = 0;
  std::uint64_t closes = std::numeric_limits<std::uint64_t>::max();

  /// For a call that no history can have.
  static constexpr window impossible() { return {1, 0}; }
  [[nodiscard]] bool is_impossible() const noexcept { return opens > closes; }
};

/// The order that windows impose on the calls of a search. Calls are named by their index.
class window_order {
 public:
  /// `windows`: one for each call, or none: then every order is allowed.
  explicit window_order(std::vector<window> windows) : windows_(std::move(windows)) {
    for (std::size_t i = 0; i < windows_.size(); ++i) put_back(i);
  }

  /// Whether no other remaining call must come before this one, which remains, too.
  [[nodiscard]] bool may_go(std::size_t index) const {
    return windows_.empty() || left_.begin()->first >= windows_[index].opens;
  }
  void take(std::size_t index) {
    if (!windows_.empty()) left_.erase({windows_[index].closes, index});
  }
  void put_back(std::size_t index) {
    if (!windows_.empty()) left_.insert({windows_[index].closes, index});
  }

  /// Two calls of which the first ended before the second began, although the window of the first
  /// opens after that of the second closed; or one call, twice, whose window is impossible.
  template <class Call>
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> contradiction(
      std::span<const Call> calls) const {
    if (windows_.empty()) return {};
    std::vector<std::size_t> by_begin(calls.size());
    std::iota(by_begin.begin(), by_begin.end(), std::size_t{0});
    std::vector<std::size_t> by_end = by_begin;
    std::ranges::sort(by_begin, {}, [&](std::size_t i) { return calls[i].invoked; });
    std::ranges::sort(by_end, {}, [&](std::size_t i) { return calls[i].responded; });
    auto ended = by_end.begin();
    std::optional<std::size_t> latest;  // of the calls that ended, the one whose window opens last
    for (const std::size_t i : by_begin) {
      if (windows_[i].is_impossible()) return std::pair(i, i);
      for (; ended != by_end.end() && calls[*ended].responded < calls[i].invoked; ++ended) {
        if (!latest || windows_[*ended].opens > windows_[*latest].opens) latest = *ended;
      }
      if (latest && windows_[i].closes < windows_[*latest].opens) return std::pair(*latest, i);
    }
    return {};
  }

 private:
  std::vector<window> windows_;
  std::set<std::pair<std::uint64_t, std::size_t>> left_;  // time at which the window closes, call
};

}  // namespace far::linearizability
