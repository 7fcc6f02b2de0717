#include "far/base/type_name.hpp"

#include <typeinfo>
#include <vector>

#include <gtest/gtest.h>

namespace {

struct account {};

TEST(type_name_test, types_are_named_as_in_the_program) {
  using far::base::readable_type;
  EXPECT_EQ(readable_type(typeid(std::vector<int>).name()),
            "std::vector<int, std::allocator<int> >");
  EXPECT_EQ(readable_type(typeid(account).name()), "(anonymous namespace)::account");
  EXPECT_EQ(readable_type(typeid(unsigned long).name()), "unsigned long");
}

TEST(type_name_test, other_texts_stay) {
  EXPECT_EQ(far::base::readable_type("a record"), "a record");
  EXPECT_EQ(far::base::readable_type(""), "");
}

}  // namespace
