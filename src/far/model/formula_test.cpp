// Sums of components: their text and their price.

#include "far/model/formula.hpp"

#include <gtest/gtest.h>

namespace far::model {
namespace {

TEST(formula_test, sums_count_components) {
  constexpr formula insert = A_cas + W + A_fao;
  static_assert(insert.times(component::compare_swap) == 1);
  static_assert(insert.times(component::get) == 0);
  static_assert(2 * (A_cas + R) == A_cas + R + R + A_cas);
  static_assert(formula() + W == W);
  EXPECT_EQ(to_string(insert), "W + A_fao + A_cas");
  EXPECT_EQ(to_string(2 * A_cas + 3 * R), "3 R + 2 A_cas");
  EXPECT_EQ(to_string(formula()), "0");
}

TEST(formula_test, the_price_is_the_sum_of_prices) {
  component_costs costs;
  costs.ns = {3000, 3700, 3900, 5000, 3800, 9000, 6000, 20};
  EXPECT_DOUBLE_EQ(price(A_cas + W + A_fao, costs), 3800 + 3000 + 3900);
  EXPECT_DOUBLE_EQ(price(A_hot + W + A_turn, costs), 5000 + 3000 + 9000);
  EXPECT_DOUBLE_EQ(price(M + 2 * l, costs), 6040);
  EXPECT_DOUBLE_EQ(price({}, costs), 0);
}

}  // namespace
}  // namespace far::model
