// The history of far::mcs_lock is linearizable, also where threads give up waiting and come back.

#include "far/sync/mcs_lock.hpp"

#include <gtest/gtest.h>

#include "test/linearizability/clients.hpp"
#include "test/linearizability/lock.hpp"
#include "test/linearizability/lock_clients.hpp"

namespace far::linearizability {
namespace {

class mcs_lock_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, mcs_lock_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

// A try may fail because of threads that have given up and keep their place.
TEST_P(mcs_lock_history_test, is_linearizable) {
  lock_log log(GetParam().count);
  run([&log, n = rounds(12, 1000)](world& w) {
    mcs_lock lock(w, w.size() - 1);
    expect_linearizable(w, lenient, log,
                        [&](base::random& random) { use_lock(w, lock, random, log, n); });
  });
}

}  // namespace
}  // namespace far::linearizability
