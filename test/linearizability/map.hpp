#pragma once
// A map from keys to words. entry_specification specifies what it does to one key.

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "far/base/random.hpp"
#include "test/linearizability/keyed.hpp"

namespace far::linearizability {

struct entry_operation {
  enum class kind { find, insert, insert_or_assign, add_or_insert, erase, contains };

  kind what = kind::find;
  std::uint64_t value = 0;

  static entry_operation find() { return {}; }
  static entry_operation insert(std::uint64_t value) { return {kind::insert, value}; }
  static entry_operation insert_or_assign(std::uint64_t value) {
    return {kind::insert_or_assign, value};
  }
  /// The update: adds to the existing value, or inserts a new one.
  static entry_operation add_or_insert(std::uint64_t value) { return {kind::add_or_insert, value}; }
  static entry_operation erase() { return {kind::erase, 0}; }
  static entry_operation contains() { return {kind::contains, 0}; }
};

/// A result of hash_map. find: whether the key is there, and its value. contains: whether it is
/// there; erase: whether it was. The others: whether the key is new.
struct entry_result {
  bool yes = false;
  std::uint64_t value = 0;  // for find

  static entry_result found(std::uint64_t value) { return {true, value}; }
  static entry_result of(bool yes) { return {yes, 0}; }
  static entry_result of(const std::optional<std::uint64_t>& found_value) {
    return {found_value.has_value(), found_value.value_or(0)};
  }
  bool operator==(const entry_result&) const = default;
};

struct entry_specification {
  using state = std::optional<std::uint64_t>;
  using operation = entry_operation;
  using result = entry_result;

  [[nodiscard]] state initial() const { return {}; }
  [[nodiscard]] std::uint64_t hash(const state& entry) const {
    return entry ? base::mix(*entry + 1) : 0;
  }

  std::optional<result> apply(state& entry, const operation& op) const {
    const bool there = entry.has_value();
    switch (op.what) {
      case operation::kind::find:
        return result::of(entry);
      case operation::kind::insert:
        if (!there) entry = op.value;
        return result::of(!there);
      case operation::kind::insert_or_assign:
        entry = op.value;
        return result::of(!there);
      case operation::kind::add_or_insert:
        entry = entry.value_or(0) + op.value;
        return result::of(!there);
      case operation::kind::erase:
        entry.reset();
        return result::of(there);
      case operation::kind::contains:
        return result::of(there);
    }
    return {};
  }

  [[nodiscard]] bool is_neutral(const operation& op, const result& seen) const {
    using kind = operation::kind;
    const bool refusable = op.what == kind::insert || op.what == kind::erase;
    return op.what == kind::find || op.what == kind::contains || (refusable && !seen.yes);
  }

  [[nodiscard]] std::string text(const operation& op, const std::optional<result>& seen) const {
    const auto answer = [&](const char* yes, const char* no) {
      return !seen ? "?" : seen->yes ? yes : no;
    };
    const auto changed = [&](const char* name) {
      return fmt::format("{}({}) -> {}", name, op.value, answer("new", "was there"));
    };
    switch (op.what) {
      case operation::kind::find:
        if (seen && seen->yes) return fmt::format("find() -> {}", seen->value);
        return fmt::format("find() -> {}", answer("", "nothing"));
      case operation::kind::insert:
        return changed("insert");
      case operation::kind::insert_or_assign:
        return changed("insert_or_assign");
      case operation::kind::add_or_insert:
        return changed("add_or_insert");
      case operation::kind::erase:
        return fmt::format("erase() -> {}", answer("was there", "nothing"));
      case operation::kind::contains:
        return fmt::format("contains() -> {}", answer("yes", "no"));
    }
    return {};
  }
  [[nodiscard]] std::string text(const state& entry) const {
    return entry ? fmt::format("{}", *entry) : "nothing";
  }
};

using map_specification = keyed<entry_specification>;

}  // namespace far::linearizability
