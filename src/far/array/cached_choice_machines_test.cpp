// The same as cached_choice_test, on other simulated machines.

#include <gtest/gtest.h>

#include "far/array/cached_choice_test.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::choice::name_of;
using far::test::choice::programs;
class cached_choice_machines_test : public far::test::choice::on_machines {};

TEST_P(cached_choice_machines_test, is_good_where_messages_are_slow) {
  expect_good_choice("ib-2006", 0);
}
TEST_P(cached_choice_machines_test, is_good_where_messages_are_fast) {
  expect_good_choice("cx4-100g", 0);
}

INSTANTIATE_TEST_SUITE_P(of, cached_choice_machines_test, programs(), name_of);

}  // namespace

#endif
