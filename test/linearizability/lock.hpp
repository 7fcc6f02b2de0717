#pragma once
// A reader-writer lock. Used without the shared operations, it is plain mutual exclusion.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "far/base/hash.hpp"

namespace far::linearizability {

struct lock_operation {
  enum class kind {
    acquire,
    try_acquire,
    release,
    acquire_shared,
    try_acquire_shared,
    release_shared
  };

  kind what = kind::acquire;
  int who = 0;

  static lock_operation acquire(int who) { return {kind::acquire, who}; }
  static lock_operation try_acquire(int who) { return {kind::try_acquire, who}; }
  static lock_operation release(int who) { return {kind::release, who}; }
  static lock_operation acquire_shared(int who) { return {kind::acquire_shared, who}; }
  static lock_operation try_acquire_shared(int who) { return {kind::try_acquire_shared, who}; }
  static lock_operation release_shared(int who) { return {kind::release_shared, who}; }
};

struct lock_state {
  int writer = -1;           // none
  std::vector<int> readers;  // sorted
  bool operator==(const lock_state&) const = default;
};

struct lock_specification {
  using state = lock_state;
  using operation = lock_operation;
  using result = bool;  // whether the lock was acquired or released

  /// Whether a try may fail on a free lock, as std::mutex::try_lock may.
  bool tries_may_fail = false;

  [[nodiscard]] state initial() const { return {}; }
  [[nodiscard]] std::uint64_t hash(const state& lock) const {
    return base::hash_combine(far::hash<int>{}(lock.writer),
                              far::hash<std::vector<int>>{}(lock.readers));
  }

  std::optional<result> apply(state& lock, const operation& op) const {
    using kind = operation::kind;
    const bool free = lock.writer < 0;
    switch (op.what) {
      case kind::acquire:
      case kind::try_acquire:
        if (free && lock.readers.empty()) {
          lock.writer = op.who;
          return true;
        }
        return refused(op.what == kind::try_acquire);
      case kind::acquire_shared:
      case kind::try_acquire_shared:
        if (free) {
          lock.readers.insert(std::ranges::upper_bound(lock.readers, op.who), op.who);
          return true;
        }
        return refused(op.what == kind::try_acquire_shared);
      case kind::release:
        if (lock.writer != op.who) return {};
        lock.writer = -1;
        return true;
      case kind::release_shared: {
        const auto place = std::ranges::find(lock.readers, op.who);
        if (place == lock.readers.end()) return {};
        lock.readers.erase(place);
        return true;
      }
    }
    return {};
  }

  bool accepts(state& lock, const operation& op, const std::optional<result>& seen) const {
    const bool is_try =
        op.what == operation::kind::try_acquire || op.what == operation::kind::try_acquire_shared;
    if (tries_may_fail && is_try && seen == false) return true;
    const std::optional<result> answer = apply(lock, op);
    return answer && (!seen || answer == seen);
  }

  [[nodiscard]] bool is_neutral(const operation&, result got) const { return !got; }

  [[nodiscard]] std::string text(const operation& op, const std::optional<result>& seen) const {
    constexpr const char* names[] = {"acquire",        "try_acquire",        "release",
                                     "acquire_shared", "try_acquire_shared", "release_shared"};
    return fmt::format("{}({}){}", names[static_cast<int>(op.what)], op.who,
                       !seen   ? " -> ?"
                       : *seen ? ""
                               : " -> refused");
  }
  [[nodiscard]] std::string text(const state& lock) const {
    if (lock.writer >= 0) return fmt::format("held by {}", lock.writer);
    if (lock.readers.empty()) return "free";
    return fmt::format("read by {}", fmt::join(lock.readers, ", "));
  }

 private:
  static std::optional<result> refused(bool is_try) {
    return is_try ? std::optional<result>(false) : std::nullopt;
  }
};

/// For locks whose tries may fail when the lock is free.
inline constexpr lock_specification lenient{.tries_may_fail = true};

}  // namespace far::linearizability
