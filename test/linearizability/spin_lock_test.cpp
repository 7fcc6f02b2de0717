// The history of far::spin_lock is linearizable, as published and with its best backoff.

#include "far/sync/spin_lock.hpp"

#include <gtest/gtest.h>

#include "test/linearizability/clients.hpp"
#include "test/linearizability/lock.hpp"
#include "test/linearizability/lock_clients.hpp"

namespace far::linearizability {
namespace {

class spin_lock_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, spin_lock_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

TEST_P(spin_lock_history_test, is_linearizable) {
  for (const back_off how : {back_off::none, back_off::best}) {
    lock_log log(GetParam().count);
    run([&log, how, n = rounds(15, 1000)](world& w) {
      spin_lock lock(w, w.size() - 1, how);
      expect_linearizable(w, lock_specification{}, log,
                          [&](base::random& random) { use_lock(w, lock, random, log, n); });
    });
  }
}

}  // namespace
}  // namespace far::linearizability
