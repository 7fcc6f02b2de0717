// far::queue at small capacities: all ranks push and pop, one-sided, by calls, or both.

#include "far/containers/queue/queue.hpp"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/linearizability/queue_clients.hpp"
#include "test/linearizability/story.hpp"
#include "test/linearizability/weak_queue.hpp"

namespace far::linearizability {
namespace {

using numbers = far::queue<std::uint64_t>;

class queue_history_test : public queue_clients_test {};
INSTANTIATE_TEST_SUITE_P(on, queue_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

TEST_P(queue_history_test, is_linearizable) {
  expect_histories<numbers>(empty_excuse::pops, 40, 1000, [](const numbers& queue, base::random&) {
    return [view = queue.with(policy::one_sided)](auto use) mutable { use(view); };
  });
}

TEST_P(queue_history_test, calls_are_linearizable) {
  expect_histories<numbers>(empty_excuse::pops, 25, 500, [](const numbers& queue, base::random&) {
    return [view = queue.with(policy::rpc)](auto use) mutable { use(view); };
  });
}

TEST_P(queue_history_test, one_sided_and_calls_together) {
  const auto either = [](const numbers& queue, base::random& random) {
    return [views = std::array{queue.with(policy::automatic), queue.with(policy::one_sided),
                               queue.with(policy::rpc)},
            &random](auto use) mutable { use(views[random.below(views.size())]); };
  };
  expect_histories<numbers>(empty_excuse::pops, 25, 500, either);
}

using op = queue_operation;
using got = queue_result;
struct weak_story : story<queue_specification> {
  weak_story() { spec.capacity = 1; }
  [[nodiscard]] bool is_good() const {
    return static_cast<bool>(is_weakly_linearizable(spec, log.calls(), empty_excuse::pops));
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
  weak_story pops;  // 1 was there, but the pop of 2 had claimed its place earlier
  const auto early = pops.begin(2, op::try_pop());
  pops.call(0, op::try_push(1), got::pushed());
  pops.call(1, op::try_pop(), got::refused());
  pops.end(early, got::refused());
  EXPECT_TRUE(pops.is_good());

  weak_story pushes;  // both pushes got "full", and the queue was not
  const auto one = pushes.begin(0, op::try_push(1));
  pushes.call(1, op::try_push(2), got::refused());
  pushes.end(one, got::refused());
  EXPECT_TRUE(pushes.is_good());
}

TEST(weak_queue_test, but_no_more_than_there_were) {
  weak_story s;  // two values, and one overlapping pop
  s.spec.capacity = 2;
  s.call(0, op::try_push(1), got::pushed());
  s.call(0, op::try_push(2), got::pushed());
  const auto other = s.begin(2, op::try_pop());
  s.call(1, op::try_pop(), got::refused());
  s.end(other, got::refused());
  EXPECT_FALSE(s.is_good());

  weak_story order;  // whatever is refused, values leave in order
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
