// far::checksum_queue at small capacities, with ranks that all push and pop.

#include "far/containers/queue/checksum_queue.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/linearizability/queue_clients.hpp"

namespace far::linearizability {
namespace {

using checked_numbers = far::checksum_queue<std::uint64_t>;

class checksum_queue_history_test : public queue_clients_test {};
INSTANTIATE_TEST_SUITE_P(on, checksum_queue_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

// The second driver delays single words for a long time; a pop must not return them too early.
TEST_P(checksum_queue_history_test, is_linearizable) {
  const auto itself = [](checked_numbers& queue, base::random&) {
    return [&queue](auto use) { use(queue); };
  };
  expect_histories<checked_numbers>(empty_excuse::pops_and_pushes, 40, 1000, itself);
  if (options.mode != job_mode::fibers) return;
  options.driver = "pct:3";
  seeds = 1000;
  expect_histories<checked_numbers>(empty_excuse::pops_and_pushes, 40, 0, itself);
}

}  // namespace
}  // namespace far::linearizability
