#pragma once
// A first-in first-out queue with a capacity.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "far/base/hash.hpp"
#include "test/linearizability/history.hpp"
#include "test/linearizability/windows.hpp"

namespace far::linearizability {

struct queue_operation {
  enum class kind { try_push, try_pop };

  kind what = kind::try_pop;
  std::uint64_t value = 0;  // to push

  static queue_operation try_push(std::uint64_t value) { return {kind::try_push, value}; }
  static queue_operation try_pop() { return {}; }
};

struct queue_result {
  bool done = false;        // if not, the queue was full, or empty
  std::uint64_t value = 0;  // popped

  static queue_result pushed() { return {true, 0}; }
  static queue_result popped(std::uint64_t value) { return {true, value}; }
  static queue_result refused() { return {}; }
  bool operator==(const queue_result&) const = default;
};

struct queue_specification {
  using state = std::vector<std::uint64_t>;  // oldest first
  using operation = queue_operation;
  using result = queue_result;

  std::size_t capacity = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] state initial() const { return {}; }
  [[nodiscard]] std::uint64_t hash(const state& values) const { return far::hash<state>{}(values); }

  std::optional<result> apply(state& values, const operation& op) const {
    if (op.what == operation::kind::try_push) {
      if (values.size() >= capacity) return result::refused();
      values.push_back(op.value);
      return result::pushed();
    }
    if (values.empty()) return result::refused();
    const std::uint64_t oldest = values.front();
    values.erase(values.begin());
    return result::popped(oldest);
  }

  [[nodiscard]] bool is_neutral(const operation&, const result& seen) const { return !seen.done; }

  /// The window of a push is the pop of its value: of two values, the first in is the first out.
  /// Valid only if no value is pushed twice. A pop of a value that was not pushed is impossible.
  [[nodiscard]] std::vector<window> windows(std::span<const call<operation, result>> calls) const {
    std::vector<window> all(calls.size());
    std::unordered_map<std::uint64_t, std::size_t> pushes;
    std::uint64_t unanswered = call<operation, result>::never;  // a pop whose value is unknown
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const call<operation, result>& one = calls[i];
      if (one.operation.what == operation::kind::try_pop) {
        if (!one.result) unanswered = std::min(unanswered, one.invoked);
      } else if (!one.result || one.result->done) {
        if (!pushes.emplace(one.operation.value, i).second) return {};
      }
    }
    const auto is_popped = [](const window& push) { return push.closes != window{}.closes; };
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const call<operation, result>& one = calls[i];
      if (one.operation.what != operation::kind::try_pop) continue;
      if (!one.result || !one.result->done) continue;
      const auto push = pushes.find(one.result->value);
      if (push == pushes.end() || is_popped(all[push->second]) ||
          one.responded < calls[push->second].invoked) {
        all[i] = window::impossible();
      } else {
        all[push->second] = {one.invoked, one.responded};
      }
    }
    for (const auto& [value, i] : pushes) {
      if (!is_popped(all[i])) all[i].opens = unanswered;
    }
    return all;
  }

  [[nodiscard]] std::string text(const operation& op, const std::optional<result>& seen) const {
    if (op.what == operation::kind::try_push) {
      return fmt::format("try_push({}) -> {}", op.value,
                         !seen        ? "?"
                         : seen->done ? "done"
                                      : "full");
    }
    if (!seen) return "try_pop() -> ?";
    return seen->done ? fmt::format("try_pop() -> {}", seen->value) : "try_pop() -> empty";
  }
  [[nodiscard]] std::string text(const state& values) const {
    return fmt::format("[{}]", fmt::join(values, ", "));
  }
};

}  // namespace far::linearizability
