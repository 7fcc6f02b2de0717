#pragma once
// A word of memory with atomic operations: a register (read, write, exchange, compare-exchange)
// and a counter (add, read) in one.

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "far/base/random.hpp"

namespace far::linearizability {

struct word_operation {
  enum class kind { read, write, exchange, compare_exchange, fetch_add };

  kind what = kind::read;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  // by compare_exchange

  static word_operation read() { return {}; }
  static word_operation write(std::uint64_t value) { return {kind::write, value}; }
  static word_operation exchange(std::uint64_t value) { return {kind::exchange, value}; }
  static word_operation compare_exchange(std::uint64_t expected, std::uint64_t desired) {
    return {kind::compare_exchange, desired, expected};
  }
  static word_operation fetch_add(std::uint64_t value) { return {kind::fetch_add, value}; }
};

struct word_specification {
  using state = std::uint64_t;
  using operation = word_operation;
  using result = std::uint64_t;  // the previous value; 0 for a write

  std::uint64_t first = 0;

  [[nodiscard]] state initial() const { return first; }
  [[nodiscard]] std::uint64_t hash(state value) const { return base::mix(value); }

  std::optional<result> apply(state& value, const operation& op) const {
    const std::uint64_t old = value;
    switch (op.what) {
      case operation::kind::read:
        return old;
      case operation::kind::write:
        value = op.operand;
        return 0;
      case operation::kind::exchange:
        value = op.operand;
        return old;
      case operation::kind::compare_exchange:
        if (old == op.expected) value = op.operand;
        return old;
      case operation::kind::fetch_add:
        value += op.operand;
        return old;
    }
    return {};
  }

  [[nodiscard]] bool is_neutral(const operation& op, result seen) const {
    using kind = operation::kind;
    return op.what == kind::read || (op.what == kind::compare_exchange && seen != op.expected);
  }

  [[nodiscard]] std::string text(const operation& op, const std::optional<result>& seen) const {
    const std::string answer = seen ? fmt::format("{}", *seen) : "?";
    switch (op.what) {
      case operation::kind::read:
        return fmt::format("read() -> {}", answer);
      case operation::kind::write:
        return fmt::format("write({}){}", op.operand, seen ? "" : " -> ?");
      case operation::kind::exchange:
        return fmt::format("exchange({}) -> {}", op.operand, answer);
      case operation::kind::compare_exchange:
        return fmt::format("compare_exchange({}, {}) -> {}", op.expected, op.operand, answer);
      case operation::kind::fetch_add:
        return fmt::format("fetch_add({}) -> {}", op.operand, answer);
    }
    return {};
  }
  [[nodiscard]] std::string text(state value) const { return fmt::format("{}", value); }
};

}  // namespace far::linearizability
