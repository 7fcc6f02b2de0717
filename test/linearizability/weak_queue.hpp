#pragma once
// Histories of a queue whose refusals are weak. far::queue counts the claims of calls in flight,
// some of which are undone, so it may return "full" or "empty" when it is neither.
//
// Two properties are checked:
// - Without the refusals that an overlapping call excuses, the history is linearizable.
// - Every refusal is right for some possible claims: the queue was full if one counts each push
//   that may have had a claim, and only the pops that must have ended; the reverse for empty.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "test/linearizability/checker.hpp"
#include "test/linearizability/queue.hpp"

namespace far::linearizability {

using queue_call = call_of<queue_specification>;

/// Which calls, if they overlap a pop, may have caused its "empty": pops that got "empty" too, and
/// whose claims were undone; or also pushes, if a push in flight hides the values behind it.
enum class empty_excuse { pops, pops_and_pushes };

namespace weak {

inline bool is_push(const queue_call& one) {
  return one.operation.what == queue_operation::kind::try_push;
}
inline bool is_refused(const queue_call& one) { return one.result && !one.result->done; }
inline bool overlap(const queue_call& a, const queue_call& b) {
  return a.invoked < b.responded && b.invoked < a.responded;
}

/// Whether `other`, which overlaps `refused`, may have caused its refusal. For a refused push any
/// call may: a value's place is taken from the begin of its push to the end of its pop.
inline bool excuses(const queue_call& other, const queue_call& refused, empty_excuse excuse) {
  if (!overlap(other, refused)) return false;
  if (is_push(refused)) return true;
  if (is_push(other)) return excuse == empty_excuse::pops_and_pushes;
  return is_refused(other) || !other.result;
}

/// For the call `refused`: the max number of values that calls of its kind may have claimed, minus
/// those that calls of the other kind must have settled.
inline std::int64_t max_claims(const std::vector<queue_call>& calls, const queue_call& refused) {
  std::int64_t balance = 0;
  for (const queue_call& one : calls) {
    if (one.invoked == refused.invoked) continue;
    const bool before = one.responded < refused.invoked;
    const bool may_claim = one.invoked < refused.responded && (!before || !is_refused(one));
    if (is_push(one) == is_push(refused)) {
      balance += may_claim ? 1 : 0;
    } else {
      balance -= before && !is_refused(one) ? 1 : 0;
    }
  }
  return balance;
}

}  // namespace weak

/// Each call has one value; all values differ.
inline ::testing::AssertionResult is_weakly_linearizable(const queue_specification& spec,
                                                         const std::vector<queue_call>& calls,
                                                         empty_excuse excuse) {
  std::vector<queue_call> strict;
  for (const queue_call& one : calls) {
    const auto others = [&](auto test) {
      return std::ranges::any_of(calls, [&](const queue_call& other) {
        return other.invoked != one.invoked && test(other);
      });
    };
    const bool refused = weak::is_refused(one);
    if (!refused || !others([&](const auto& o) { return weak::excuses(o, one, excuse); })) {
      strict.push_back(one);
    }
    const bool hidden =
        !weak::is_push(one) && excuse == empty_excuse::pops_and_pushes &&
        others([&](const auto& o) { return weak::is_push(o) && weak::overlap(o, one); });
    if (!refused || hidden) continue;
    const auto needed = weak::is_push(one) ? static_cast<std::int64_t>(spec.capacity) : 0;
    if (weak::max_claims(calls, one) < needed) {
      return ::testing::AssertionFailure()
             << spec.text(one.operation, one.result) << " of process " << one.process << " (events "
             << one.invoked << " to " << one.responded << "), whatever calls under way had claimed";
    }
  }
  return is_linearizable(spec, strict);
}

}  // namespace far::linearizability
