// Words of remote memory under contention: their histories are linearizable.

#include "far/rma/atomic_ref.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/transfer.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/keyed.hpp"
#include "test/linearizability/word.hpp"

namespace far::linearizability {
namespace {

using words = keyed<word_specification>;
using word = word_operation;
using log_of_words = history_of<words>;

class atomic_ref_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, atomic_ref_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);
class word_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, word_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

std::uint64_t perform(const atomic_ref<std::uint64_t>& target, const word& op) {
  switch (op.what) {
    case word::kind::read:
      return target.load();
    case word::kind::write:
      target.store(op.operand);
      return 0;
    case word::kind::exchange:
      return target.exchange(op.operand);
    case word::kind::compare_exchange: {
      std::uint64_t expected = op.expected;
      target.compare_exchange(expected, op.operand);
      return expected;
    }
    case word::kind::fetch_add:
      return target.fetch_add(op.operand);
  }
  return 0;
}

/// Random operations on one word of each of two ranks. A change ends when it is flushed: until then
/// its own thread may see it before others do (axiom 6).
void use_words(const world& w, log_of_words& log, int rounds) {
  const auto mine = allocate<std::uint64_t>(w);
  barrier(w);
  expect_linearizable(w, words{}, log, [&](base::random& random) {
    std::uint64_t last[2] = {0, 0};
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t key = random.below(2);
      word op{static_cast<word::kind>(random.below(5)), 0, last[key]};
      op.operand = static_cast<std::uint64_t>(w.rank() + 1) << 32 | static_cast<unsigned>(round);
      const int home = static_cast<int>(key);
      atomic_ref<std::uint64_t> target(w, mine.on(home));
      if (random.below(2) == 0) target = target.waking();  // uses the verb, not the inline path
      const auto asked = log.invoke(w.rank(), {key, op});
      const std::uint64_t answer = perform(target, op);
      if (op.what != word::kind::read) flush(w, home);
      log.respond(asked, answer);
      last[key] = op.what == word::kind::write ? op.operand : answer;
    }
  });
  deallocate(w, mine);
}

TEST_P(atomic_ref_history_test, is_linearizable) {
  log_of_words log(GetParam().count);
  run([&log, n = rounds(40, 3000)](world& w) { use_words(w, log, n); });
}

/// Several operations of one rank are in flight at once. Its load may see its own changes before
/// others do (axiom 6), so a change ends when it is flushed.
TEST_P(atomic_ref_history_test, asynchronous_operations_are_linearizable) {
  log_of_words log(GetParam().count);
  run([&log, n = rounds(15, 1000)](world& w) {
    const auto mine = allocate<std::uint64_t>(w);
    barrier(w);
    expect_linearizable(w, words{}, log, [&](base::random&) {
      const atomic_ref<std::uint64_t> target(w, mine.on(1));
      for (int round = 0; round < n; ++round) {
        const auto value =
            static_cast<std::uint64_t>(w.rank() + 1) << 32 | static_cast<unsigned>(round);
        const auto add = log.invoke(w.rank(), {1, word::fetch_add(1)});
        auto added = target.fetch_add_async(1);
        const auto swap = log.invoke(w.rank(), {1, word::exchange(value)});
        auto swapped = target.exchange_async(value);
        const auto read = log.invoke(w.rank(), {1, word::read()});
        auto seen = target.load_async();
        const std::uint64_t loaded = seen.get();
        const std::uint64_t before_swap = swapped.get();
        const std::uint64_t before_add = added.get();
        flush(w, 1);
        log.respond(swap, before_swap);
        log.respond(add, before_add);
        log.respond(read, loaded);
      }
    });
    deallocate(w, mine);
  });
}

/// Put and get of a word are a register's write and read if the put is flushed.
TEST_P(word_history_test, flushed_puts_and_gets_are_linearizable) {
  log_of_words log(GetParam().count);
  run([&log, n = rounds(40, 3000)](world& w) {
    const auto mine = allocate<std::uint64_t>(w);
    barrier(w);
    expect_linearizable(w, words{}, log, [&](base::random& random) {
      for (int round = 0; round < n; ++round) {
        const std::uint64_t key = random.below(2);
        const auto place = mine.on(static_cast<int>(key));
        if (random.below(2) == 0) {
          const auto value =
              static_cast<std::uint64_t>(w.rank() + 1) << 32 | static_cast<unsigned>(round);
          const auto asked = log.invoke(w.rank(), {key, word::write(value)});
          if (random.below(2) == 0) {
            put(w, place, value);
          } else {
            put_async(w, place, value).get();
          }
          flush(w, static_cast<int>(key));
          log.respond(asked, 0);
        } else {
          const auto asked = log.invoke(w.rank(), {key, word::read()});
          log.respond(asked, get(w, place));
        }
      }
    });
    deallocate(w, mine);
  });
}

/// An update made of get and put is not atomic: under some seeds an update is lost, and the checker
/// detects it.
TEST_P(word_history_test, an_update_of_get_and_put_is_found_out) {
  log_of_words log(GetParam().count);
  int caught = 0;
  run([&](world& w) {
    const auto mine = allocate<std::uint64_t>(w);
    if (w.rank() == 0) log.clear();
    barrier(w);
    for (int round = 0; round < 3; ++round) {
      const auto asked = log.invoke(w.rank(), {0, word::fetch_add(1)});
      const std::uint64_t old = get(w, mine.on(0));
      put(w, mine.on(0), old + 1);
      flush(w, 0);
      log.respond(asked, old);
    }
    barrier(w);
    if (w.rank() == 0) {
      caught += check(words{}, log.calls()).outcome == verdict::not_linearizable ? 1 : 0;
    }
    deallocate(w, mine);
  });
  if (options.mode == job_mode::fibers) {
    EXPECT_GT(caught, 0);  // with threads it may not happen
  }
}

}  // namespace
}  // namespace far::linearizability
