#include "far/launch/hosts.hpp"

#include <gtest/gtest.h>

#include "far/base/error.hpp"

namespace far::launch {
namespace {

std::string text_of(const std::vector<host>& hosts) {
  std::string result;
  for (const host& one : hosts) result += one.name + '=' + std::to_string(one.ranks) + ' ';
  return result;
}

TEST(Hosts, HaveNamesAndRoom) {
  EXPECT_EQ(text_of(parse_hosts("a")), "a=1 ");
  EXPECT_EQ(text_of(parse_hosts("a:2,user@b-3.example_x,c:16")), "a=2 user@b-3.example_x=1 c=16 ");
}

TEST(Hosts, ThatAreNoneAreRefused) {
  for (const char* text : {"", ",", "a,", ",a", ":2", "a:", "a:0", "a:-1", "a:x", "a:2x", "a:99999",
                           "-oProxyCommand=x", "a b", "a;b", "$(a)", "a,a:2", "a:1:2"}) {
    EXPECT_THROW((void)parse_hosts(text), bad_argument) << text;
  }
}

TEST(Hosts, AreFilledInTheirOrder) {
  const auto hosts = parse_hosts("a:2,b:3,c");
  EXPECT_EQ(text_of(place_ranks(hosts, 0)), "a=2 b=3 c=1 ");
  EXPECT_EQ(text_of(place_ranks(hosts, 6)), "a=2 b=3 c=1 ");
  EXPECT_EQ(text_of(place_ranks(hosts, 4)), "a=2 b=2 ");
  EXPECT_EQ(text_of(place_ranks(hosts, 1)), "a=1 ");
  EXPECT_THROW((void)place_ranks(hosts, 7), bad_argument);
  EXPECT_THROW((void)place_ranks(hosts, -1), bad_argument);
}

}  // namespace
}  // namespace far::launch
