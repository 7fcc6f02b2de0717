// What a cached array chooses is about as fast as the better of caching always and never, on one
// simulated machine. (cached_choice_machines_test tries others.)

#include "far/array/cached_choice_test.hpp"

#include <gtest/gtest.h>

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::choice::name_of;
using far::test::choice::programs;
class cached_choice_test : public far::test::choice::on_machines {};

TEST_P(cached_choice_test, is_good_inside_a_node) { expect_good_choice("cori-aries", 0); }
TEST_P(cached_choice_test, is_good_between_nodes) { expect_good_choice("cori-aries", 1); }

INSTANTIATE_TEST_SUITE_P(of, cached_choice_test, programs(), name_of);

}  // namespace

#endif
