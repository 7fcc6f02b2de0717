// The checker against an oracle that tries all orders, and on histories too large for that.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "test/linearizability/checker.hpp"
#include "test/linearizability/generated.hpp"
#include "test/linearizability/lock.hpp"
#include "test/linearizability/map.hpp"
#include "test/linearizability/queue.hpp"
#include "test/linearizability/word.hpp"

namespace far::linearizability {
namespace {

// Random operations for each specification. There are few values, so that much is ambiguous.

word_operation any_of(const word_specification&, int, std::uint64_t, base::random& random) {
  using kind = word_operation::kind;
  return {static_cast<kind>(random.below(5)), random.below(3), random.below(3)};
}
queue_operation any_of(const queue_specification&, int, const auto&, base::random& random) {
  return random.below(2) == 0 ? queue_operation::try_pop()
                              : queue_operation::try_push(random.below(6));
}
entry_operation any_of(const entry_specification&, int, const auto&, base::random& random) {
  return {static_cast<entry_operation::kind>(random.below(5)), random.below(3)};
}
keyed_operation<std::uint64_t, entry_operation> any_of(const map_specification& map, int process,
                                                       const auto&, base::random& random) {
  return {random.below(3), any_of(map.each, process, map.each.initial(), random)};
}
/// A process that holds the lock releases it.
lock_operation any_of(const lock_specification&, int process, const lock_state& lock,
                      base::random& random) {
  if (lock.writer == process) return lock_operation::release(process);
  if (std::ranges::find(lock.readers, process) != lock.readers.end()) {
    return lock_operation::release_shared(process);
  }
  constexpr lock_operation::kind kinds[] = {
      lock_operation::kind::acquire, lock_operation::kind::try_acquire,
      lock_operation::kind::acquire_shared, lock_operation::kind::try_acquire_shared};
  return {kinds[random.below(4)], process};
}

// A random result, sometimes right.

std::uint64_t other_result(std::uint64_t, base::random& random) { return random.below(4); }
queue_result other_result(const queue_result&, base::random& random) {
  const bool done = random.below(3) != 0;
  return {done, done ? random.below(6) : 0};
}
entry_result other_result(const entry_result&, base::random& random) {
  const bool yes = random.below(2) == 0;
  return {yes, yes ? random.below(3) : 0};
}
bool other_result(bool right, base::random&) { return !right; }

// A result that no history can have.

std::uint64_t impossible(std::uint64_t) { return 1'000'000'000; }
queue_result impossible(const queue_result&) { return {true, 1'000'000'000}; }
entry_result impossible(const entry_result&) { return {true, 1'000'000'000}; }

template <specification S>
std::vector<call_of<S>> random_history(const S& spec, const shape& wanted, base::random& random) {
  return stretched_run(spec, wanted, random, [&](int process, const auto& state) {
    return any_of(spec, process, state, random);
  });
}

struct counts {
  int right = 0;
  int wrong = 0;
};

/// Small histories, half of them with some result replaced: the checker agrees with the oracle.
template <specification S>
counts compare_with_oracle(const S& spec, int rounds, std::uint64_t seed) {
  counts found;
  base::random random(seed);
  for (int round = 0; round < rounds; ++round) {
    shape wanted;
    wanted.processes = 2 + static_cast<int>(random.below(4));
    wanted.calls = 1 + random.below(8);
    wanted.overlap = random.below(8);
    wanted.pending_percent = random.below(3) * 20;
    auto calls = random_history(spec, wanted, random);
    for (auto changes = random.below(3); changes > 0; --changes) {
      auto& call = calls[random.below(calls.size())];
      auto& other = calls[random.below(calls.size())];
      if (!call.result || !other.result) continue;
      if (random.below(2) == 0) {
        std::swap(call.result, other.result);
      } else {
        call.result = other_result(*call.result, random);
      }
    }
    const bool right = every_order<S>(spec, calls).one_explains();
    const report result = check(spec, calls);
    EXPECT_EQ(result.outcome, right ? verdict::linearizable : verdict::not_linearizable)
        << "round " << round << ": " << result.explanation;
    if (result.outcome == verdict::linearizable) {
      EXPECT_TRUE(explains(spec, calls, result.order)) << "round " << round;
    }
    EXPECT_EQ(result.explanation.empty(), right);
    (right ? found.right : found.wrong) += 1;
    if (::testing::Test::HasFailure()) break;
  }
  return found;
}

TEST(linearizability_search_test, agrees_with_trying_all_orders) {
  const auto compare = [](const auto& spec, const char* name) {
    SCOPED_TRACE(name);
    const counts found = compare_with_oracle(spec, 3000, 7);
    EXPECT_GT(found.right, 500);  // both must occur, or the comparison says little
    EXPECT_GT(found.wrong, 500);
  };
  compare(word_specification{.first = 1}, "word");
  compare(queue_specification{.capacity = 2}, "queue");
  compare(entry_specification{}, "entry");
  compare(map_specification{}, "map");
  compare(lock_specification{}, "lock");
  compare(lock_specification{.tries_may_fail = true}, "lock whose tries may fail");
}

/// A history of 64 busy processes is accepted, and rejected with one wrong result.
template <specification S, class Spoil>
void check_large(const S& spec, std::vector<call_of<S>> calls, Spoil spoil) {
  ASSERT_EQ(calls.size(), 5000u);
  const report good = check(spec, calls);
  ASSERT_EQ(good.outcome, verdict::linearizable) << good.explanation;
  EXPECT_TRUE(explains(spec, calls, good.order));

  const auto spoilt = std::find_if(calls.begin() + 4500, calls.end(), spoil);
  ASSERT_NE(spoilt, calls.end());
  const report bad = check(spec, calls);
  EXPECT_EQ(bad.outcome, verdict::not_linearizable) << bad.explanation;
}

constexpr auto spoil_answer = [](auto& call) {
  if (!call.result) return false;
  call.result = impossible(*call.result);
  return true;
};

TEST(linearizability_search_test, decides_large_histories_of_words) {
  base::random random(3);
  const word_specification word;
  check_large(word, random_history(word, {64, 5000, 12, 0}, random), spoil_answer);
  // With values that identify their writer, more calls may be in flight.
  std::uint64_t last = 0;
  const auto calls =
      stretched_run(word, {64, 5000, 16, 0}, random, [&](int, std::uint64_t now) -> word_operation {
        return {static_cast<word_operation::kind>(random.below(5)), ++last,
                random.below(2) == 0 ? now : last};
      });
  check_large(word, calls, spoil_answer);
}
TEST(linearizability_search_test, decides_large_histories_of_queues) {
  base::random random(3);
  const queue_specification bounded{.capacity = 8};
  check_large(bounded, random_history(bounded, {64, 5000, 5, 0}, random), spoil_answer);
  // Without a capacity, but all values differ.
  const queue_specification queue;
  std::uint64_t last = 0;
  const auto calls = stretched_run(queue, {64, 5000, 16, 0}, random, [&](int, const auto&) {
    return random.below(2) == 0 ? queue_operation::try_pop() : queue_operation::try_push(++last);
  });
  check_large(queue, calls, [](auto& call) {
    return call.operation.what == queue_operation::kind::try_pop && spoil_answer(call);
  });
}
TEST(linearizability_search_test, decides_large_histories_of_maps) {
  base::random random(3);
  const map_specification map;
  check_large(map, random_history(map, {64, 5000, 32, 0}, random), spoil_answer);
}
TEST(linearizability_search_test, decides_large_histories_of_locks) {
  base::random random(3);
  const lock_specification lock;
  check_large(lock, random_history(lock, {64, 5000, 16, 0}, random), [](auto& call) {
    if (call.operation.what != lock_operation::kind::release_shared) return false;
    call.operation.who = 64;  // a process that never held it
    return true;
  });
}

TEST(linearizability_search_test, accepts_calls_that_were_never_answered) {
  base::random random(11);
  for (int round = 0; round < 50; ++round) {
    const word_specification word;
    const auto words = random_history(word, {64, 400, 8, 2}, random);
    EXPECT_TRUE(is_linearizable(word, words)) << "round " << round;
    const queue_specification queue{.capacity = 6};
    const auto queues = random_history(queue, {64, 400, 4, 2}, random);
    EXPECT_TRUE(is_linearizable(queue, queues)) << "round " << round;
  }
}

TEST(linearizability_search_test, joins_the_orders_of_keys) {
  base::random random(5);
  const map_specification map;
  const auto calls = random_history(map, {64, 3000, 16, 1}, random);
  const report result = check(map, calls);
  ASSERT_EQ(result.outcome, verdict::linearizable) << result.explanation;
  EXPECT_TRUE(explains(map, calls, result.order));
}

TEST(linearizability_search_test, gives_up_at_its_budget) {
  // Twenty writes at once, then one read of a value that was never written: every subset is tried.
  history_of<word_specification> log(21);
  std::vector<history_of<word_specification>::token> writes;
  for (int i = 0; i < 20; ++i) {
    writes.push_back(log.invoke(i, word_operation::write(static_cast<std::uint64_t>(i))));
  }
  const auto read = log.invoke(20, word_operation::read());
  for (const auto& write : writes) log.respond(write, 0);
  log.respond(read, 99);
  const report result = check(word_specification{}, log.calls(), {.budget = 10'000});
  EXPECT_EQ(result.outcome, verdict::undecided);
  EXPECT_LE(result.configurations, 10'001u);
  EXPECT_NE(result.explanation.find("undecided after 10000 configurations"), std::string::npos);
  EXPECT_FALSE(is_linearizable(word_specification{}, log.calls(), {.budget = 10'000}));
}

TEST(linearizability_search_test, refuses_calls_that_end_before_they_begin) {
  const std::vector<call_of<word_specification>> backwards{{0, word_operation::read(), 0, 5, 4}};
  EXPECT_THROW((void)check(word_specification{}, backwards), bad_argument);
  const std::vector<call_of<word_specification>> no_end{{0, word_operation::read(), 0, 5}};
  EXPECT_THROW((void)check(word_specification{}, no_end), bad_argument);
}

}  // namespace
}  // namespace far::linearizability
