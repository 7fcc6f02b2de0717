// far::queue at small capacities, with ranks that all push and pop, one-sided, by calls, or both.

#include "far/containers/queue.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/story.hpp"
#include "test/linearizability/weak_queue.hpp"

namespace far::linearizability {
namespace {

using queue_log = history_of<queue_specification>;
using numbers = far::queue<std::uint64_t>;

enum class way { one_sided, calls, mixed };

class queue_history_test : public clients_test {
 protected:
  queue_history_test() { seeds = 200; }

  /// Random pushes and pops of all ranks on a queue of 1 to 3 values at some rank.
  void expect_histories(way how, int of_fibers, int of_threads) {
    queue_log log(GetParam().count);
    run([&log, how, n = rounds(of_fibers, of_threads)](world& w) {
      if (w.rank() == 0) log.clear();
      barrier(w);
      const auto capacity = static_cast<std::size_t>(1 + log.runs() % 3);
      const auto host = static_cast<int>(log.runs()) % w.size();
      const numbers queue(w, host, capacity);
      use_queue(w, queue, how, log, n);
      barrier(w);
      if (w.rank() == 0) {
        EXPECT_TRUE(is_weakly_linearizable(queue_specification{capacity}, log.calls()));
      }
    });
  }

 private:
  static void use_queue(const world& w, const numbers& queue, way how, queue_log& log, int n) {
    base::random random(base::mix(log.runs()) + static_cast<unsigned>(w.rank()));
    auto one_sided = queue.concurrent();
    auto calling = queue.calling();
    for (int i = 0; i < n; ++i) {
      const bool calls = how == way::calls || (how == way::mixed && random.below(2) == 0);
      const bool pops = random.below(2) == 0;
      const auto value = static_cast<std::uint64_t>(w.rank() * n + i);
      if (pops) {
        const auto asked = log.invoke(w.rank(), queue_operation::try_pop());
        const auto got = calls ? calling.try_pop() : one_sided.try_pop();
        log.respond(asked, got ? queue_result::popped(*got) : queue_result::refused());
      } else {
        const auto asked = log.invoke(w.rank(), queue_operation::try_push(value));
        const bool done = calls ? calling.try_push(value) : one_sided.try_push(value);
        log.respond(asked, done ? queue_result::pushed() : queue_result::refused());
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(on, queue_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

TEST_P(queue_history_test, is_linearizable) { expect_histories(way::one_sided, 40, 1000); }
TEST_P(queue_history_test, calls_are_linearizable) { expect_histories(way::calls, 25, 500); }
TEST_P(queue_history_test, one_sided_and_calls_together) { expect_histories(way::mixed, 25, 500); }

using op = queue_operation;
using got = queue_result;
struct weak_story : story<queue_specification> {
  weak_story() { spec.capacity = 1; }
  [[nodiscard]] bool is_good() const {
    return static_cast<bool>(is_weakly_linearizable(spec, log.calls()));
  }
};

TEST(weak_queue_test, refusals_without_company_are_exact) {
  for (const bool full : {true, false}) {
    weak_story s;
    if (full) s.call(0, op::try_push(1), got::pushed());
    s.call(1, op::try_push(2), got::refused());
    EXPECT_EQ(s.is_good(), full);
  }
  for (const bool empty : {true, false}) {
    weak_story s;
    if (!empty) s.call(0, op::try_push(1), got::pushed());
    s.call(1, op::try_pop(), got::refused());
    EXPECT_EQ(s.is_good(), empty);
  }
}

TEST(weak_queue_test, a_claim_that_is_given_back_excuses_others) {
  weak_story pops;  // 1 was there all the time, but the pop of 2 had claimed it while it was not
  const auto early = pops.begin(2, op::try_pop());
  pops.call(0, op::try_push(1), got::pushed());
  pops.call(1, op::try_pop(), got::refused());
  pops.end(early, got::refused());
  EXPECT_TRUE(pops.is_good());

  weak_story pushes;  // which both found it full, and it was not
  const auto one = pushes.begin(0, op::try_push(1));
  pushes.call(1, op::try_push(2), got::refused());
  pushes.end(one, got::refused());
  EXPECT_TRUE(pushes.is_good());
}

TEST(weak_queue_test, but_no_more_than_there_were) {
  weak_story s;  // two values, and one pop beside
  s.spec.capacity = 2;
  s.call(0, op::try_push(1), got::pushed());
  s.call(0, op::try_push(2), got::pushed());
  const auto other = s.begin(2, op::try_pop());
  s.call(1, op::try_pop(), got::refused());
  s.end(other, got::refused());
  EXPECT_FALSE(s.is_good());

  weak_story order;  // whatever is refused, values leave in their order
  order.spec.capacity = 2;
  order.call(0, op::try_push(1), got::pushed());
  order.call(0, op::try_push(2), got::pushed());
  const auto refused = order.begin(2, op::try_push(3));
  order.call(1, op::try_pop(), got::popped(2));
  order.end(refused, got::refused());
  EXPECT_FALSE(order.is_good());
}

}  // namespace
}  // namespace far::linearizability
