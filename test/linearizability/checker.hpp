#pragma once
// Decides whether a history is linearizable: whether its calls could have taken place one after the
// other, each at one moment between its invocation and its response, with the recorded results.
//
//   EXPECT_TRUE(is_linearizable(word_specification{}, log.calls()));
//
// The problem is NP-complete, but histories of few processes, or with results that tell much, are
// decided fast. A search that exceeds its budget ends as undecided.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/linearizability/explain.hpp"
#include "test/linearizability/keyed.hpp"
#include "test/linearizability/search.hpp"
#include "test/linearizability/specification.hpp"

namespace far::linearizability {

struct check_options {
  /// Max configurations to try for each key. A configuration is a set of calls and the state that
  /// they led to.
  std::uint64_t budget = 500'000;
  /// Max lines of each kind in an explanation.
  std::size_t shown = 12;
};

struct report {
  verdict outcome = verdict::linearizable;
  /// If linearizable: the calls in an order that explains the history, without pending ones that
  /// need not have taken place.
  std::vector<std::size_t> order;
  /// If not: the reason, in several lines.
  std::string explanation;
  std::uint64_t configurations = 0;
};

namespace detail {

template <specification S>
report check_one(const S& spec, std::span<const call_of<S>> calls, const check_options& options) {
  search<S> search(spec, calls);
  report result;
  result.outcome = search.run(options.budget);
  result.configurations = search.configurations();
  if (result.outcome == verdict::linearizable) {
    result.order = search.order();
    return result;
  }
  explainer<S> explain(spec, calls, options.shown);
  if (result.outcome == verdict::undecided) {
    result.explanation = fmt::format(
        "undecided after {} configurations, of {} calls: try a larger budget, fewer calls, or "
        "fewer "
        "processes\n",
        options.budget, calls.size());
    if (search.order().empty()) return result;  // the search was still making progress
    result.explanation += "so far, ";
  }
  const auto& pair = search.contradiction();
  result.explanation += pair ? explain.contradiction(pair->first, pair->second)
                             : explain.failure(search.order(), search.stopped_by());
  return result;
}

/// Joins the orders of the keys. Each call gets the earliest moment that its own order allows: its
/// invocation, or that of a call before it. A call of any key that ended before this call began has
/// no later moment, so sorting by these moments keeps it in front.
class joined_order {
 public:
  template <class Call>
  void add(const std::vector<Call>& calls, const std::vector<std::size_t>& order,
           const std::vector<std::size_t>& places) {
    std::uint64_t moment = 0;
    for (const std::size_t i : order) {
      moment = std::max(moment, calls[i].invoked);
      moments_.emplace_back(moment, places[i]);
    }
  }
  [[nodiscard]] std::vector<std::size_t> take() {
    // Equal moments belong to one key: they are the same invocation.
    std::ranges::stable_sort(moments_, {}, [](const auto& one) { return one.first; });
    std::vector<std::size_t> order;
    for (const auto& [moment, place] : moments_) order.push_back(place);
    return order;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::size_t>> moments_;
};

template <class S>
report check_each_key(const S& spec, const std::vector<call_of<S>>& calls,
                      const check_options& options) {
  using each = typename S::each_specification;
  struct part {
    std::vector<call_of<each>> calls;
    std::vector<std::size_t> places;  // in the whole history
  };
  std::map<typename S::key_type, part> parts;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const call_of<S>& call = calls[i];
    part& mine = parts[call.operation.key];
    mine.calls.push_back(
        {call.process, call.operation.operation, call.result, call.invoked, call.responded});
    mine.places.push_back(i);
  }
  report all;
  joined_order order;
  for (const auto& [key, mine] : parts) {
    report one = check_one<each>(spec.each, mine.calls, options);
    all.configurations += one.configurations;
    if (one.outcome == verdict::linearizable) {
      order.add(mine.calls, one.order, mine.places);
      continue;
    }
    all.outcome = one.outcome;
    all.explanation = fmt::format("key {}: {}", key, one.explanation);
    if (one.outcome == verdict::not_linearizable) return all;  // the other keys cannot change this
  }
  if (all.outcome == verdict::linearizable) all.order = order.take();
  return all;
}

}  // namespace detail

/// Whether `calls` is a linearizable history of one object that begins in the state of `spec`, or
/// of many objects (`keyed`), each of which is checked separately. Errors: bad_argument for calls
/// that end before they begin.
/// Checked by: linearizability_search_test.agrees_with_trying_all_orders
template <specification S>
[[nodiscard]] report check(const S& spec, const std::vector<call_of<S>>& calls,
                           const check_options& options = {}) {
  if constexpr (is_keyed<S>) {
    return detail::check_each_key(spec, calls, options);
  } else {
    return detail::check_one<S>(spec, calls, options);
  }
}

/// The same as a test assertion, which fails for undecided histories, too.
template <specification S>
[[nodiscard]] ::testing::AssertionResult is_linearizable(const S& spec,
                                                         const std::vector<call_of<S>>& calls,
                                                         const check_options& options = {}) {
  const report result = check(spec, calls, options);
  if (result.outcome == verdict::linearizable) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << result.explanation;
}

}  // namespace far::linearizability
