// The history of far::rw_lock is linearizable, with various thresholds.

#include "far/sync/rw_lock.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "test/linearizability/clients.hpp"
#include "test/linearizability/lock.hpp"
#include "test/linearizability/lock_clients.hpp"

namespace far::linearizability {
namespace {

class rw_lock_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, rw_lock_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

// A try may fail because of threads that are about to give up.
TEST_P(rw_lock_history_test, is_linearizable) {
  for (const std::uint64_t readers : {0u, 1u, 3u}) {
    lock_log log(GetParam().count);
    run([&log, readers, n = rounds(12, 1000)](world& w) {
      const lock_levels levels(w, w.size() > 3 ? std::vector<int>{4, 2} : std::vector<int>{2});
      const int every = readers == 1 ? 1 : 2;
      rw_lock lock(w, levels,
                   {.counter_every = every,
                    .max_passes = {1, 1},
                    .max_readers = readers,
                    .patience = readers == 3 ? 2 : 0});
      expect_linearizable(w, lenient, log,
                          [&](base::random& random) { use_rw_lock(w, lock, random, log, n); });
    });
  }
}

}  // namespace
}  // namespace far::linearizability
