#pragma once
// Histories of a queue whose refusals are weak: far::queue counts the claims of calls under way,
// some of which are given back, so it may be told "full" or "empty" when it is neither.
//
// What is checked of them:
//   - without the refusals that an overlapping call excuses, the history is linearizable;
//   - every refusal is right for the claims that there can have been: counting each push that may
//     have had a claim, and no pop but those that must have ended, it was full, and the other way
//     round for empty.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "test/linearizability/checker.hpp"
#include "test/linearizability/queue.hpp"

namespace far::linearizability {

using queue_call = call_of<queue_specification>;

/// Which calls, if they overlap a pop, may have let it be told "empty": pops that were told so too,
/// whose claims were given back; or pushes as well, where a push under way hides values behind it.
enum class empty_excuse { pops, pops_and_pushes };

namespace weak {

inline bool is_push(const queue_call& one) {
  return one.operation.what == queue_operation::kind::try_push;
}
inline bool is_refused(const queue_call& one) { return one.result && !one.result->done; }
inline bool overlap(const queue_call& a, const queue_call& b) {
  return a.invoked < b.responded && b.invoked < a.responded;
}

/// Whether `other`, which overlaps it, may have let `refused` be refused. Of pushes: any, for the
/// place of a value is taken from the begin of its push to the end of its pop.
inline bool excuses(const queue_call& other, const queue_call& refused, empty_excuse excuse) {
  if (!overlap(other, refused)) return false;
  if (is_push(refused)) return true;
  if (is_push(other)) return excuse == empty_excuse::pops_and_pushes;
  return is_refused(other) || !other.result;
}

/// For one `refused`: the most values that may have been claimed by its side, beyond those of the
/// other side that must have been settled.
inline std::int64_t most_claims(const std::vector<queue_call>& calls, const queue_call& refused) {
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

/// Of calls with one value each, no two the same.
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
    if (weak::most_claims(calls, one) < needed) {
      return ::testing::AssertionFailure()
             << spec.text(one.operation, one.result) << " of process " << one.process << " (events "
             << one.invoked << " to " << one.responded << "), whatever calls under way had claimed";
    }
  }
  return is_linearizable(spec, strict);
}

}  // namespace far::linearizability
