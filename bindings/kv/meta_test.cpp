// The meta commands.

#include <string>

#include <gtest/gtest.h>

#include "bindings/kv/test_backend.hpp"

namespace {

using far::kv::testing::test_backend;
using far::kv::testing::test_client;
using far::kv::testing::with_store;

/// Sends commands, each with its reply, on a store of its own.
void expect_replies(std::initializer_list<std::pair<std::string, std::string>> steps) {
  with_store([&](test_backend& backend) {
    test_client client(backend);
    for (const auto& [command, reply] : steps) EXPECT_EQ(client.send(command), reply) << command;
  });
}

TEST(kv_meta, gets_what_the_flags_ask_for) {
  expect_replies({
      {"mg a\r\n", "EN\r\n"},
      {"mg a q\r\n", ""},
      {"mg a k O1 v\r\n", "EN ka O1\r\n"},
      {"ms a 2 F5 T100\r\nhi\r\n", "HD\r\n"},
      {"mg a\r\n", "HD\r\n"},
      {"ms b 2\r\nhi\r\n", "HD\r\n"},
      {"mg b s h v f t l k Oxyz\r\n", "VA 2 s2 h0 f0 t-1 l0 kb Oxyz\r\nhi\r\n"},
      {"mg b h u\r\n", "HD h1\r\n"},
      {"mg b t T30 t\r\n", "CLIENT_ERROR duplicate flag\r\n"},
      {"mg b T30 t\r\n", "HD t30\r\n"},
      {"mg b t T0\r\n", "HD t30\r\n"},
      {"mg b t\r\n", "HD t-1\r\n"},
      {"mg b T-1\r\n", "HD\r\n"},
      {"mg b\r\n", "EN\r\n"},
  });
}

TEST(kv_meta, refuses_bad_flags) {
  const std::string opaque(33, 'o');
  expect_replies({
      {"mg\r\n", "ERROR\r\n"},
      {"mg a x\r\n", "CLIENT_ERROR invalid flag\r\n"},
      {"mg a Nx\r\n", "CLIENT_ERROR bad token in command line format\r\n"},
      {"mg a O" + opaque + "\r\n", "CLIENT_ERROR opaque token too long\r\n"},
      {"mg " + std::string(251, 'k') + "\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"mg a 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\r\n",
       "CLIENT_ERROR options flags are too long\r\n"},
      {"ms a\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"ms a x\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"ms a 2 Mx\r\nhi\r\n", "CLIENT_ERROR invalid mode for ms M token\r\n"},
      {"ms a 2 MAA\r\nhi\r\n", "CLIENT_ERROR incorrect length for M token\r\n"},
      {"ms a 2 Fx\r\nhi\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"md a x\r\n", "CLIENT_ERROR invalid or duplicate flag\r\n"},
      {"ma a Jx\r\n", "CLIENT_ERROR invalid or duplicate flag\r\n"},
      {"ma a Mx\r\n", "CLIENT_ERROR invalid mode for ma M token\r\n"},
      {"mx a\r\n", "ERROR\r\n"},
  });
}

TEST(kv_meta, sets_in_each_mode) {
  expect_replies({
      {"ms a 1 MR\r\n1\r\n", "NS\r\n"},
      {"ms a 1 ME q\r\n1\r\n", ""},
      {"ms a 1 ME q k Oz\r\n1\r\n", "NS ka Oz\r\n"},
      {"ms a 1 MA\r\n2\r\n", "HD\r\n"},
      {"ms a 1 MP\r\n0\r\n", "HD\r\n"},
      {"mg a v\r\n", "VA 3\r\n012\r\n"},
      {"ms a 1 C99999\r\n1\r\n", "EX\r\n"},
      {"ms a 1 C0\r\n1\r\n", "EX\r\n"},
      {"ms b 1 C1\r\n1\r\n", "NF\r\n"},
      {"ms a 1 c C99999\r\n1\r\n", "EX c0\r\n"},
      {"ms a 1 q\r\n123\r\n", "CLIENT_ERROR bad data chunk\r\nERROR\r\n"},
      {"mn\r\n", "MN\r\n"},
  });
}

TEST(kv_meta, lets_one_client_renew) {
  expect_replies({
      {"mg a N30 v t\r\n", "VA 0 t30 W\r\n\r\n"},
      {"mg a N30 v t\r\n", "VA 0 t30 Z\r\n\r\n"},
      {"ms a 2 T30\r\nhi\r\n", "HD\r\n"},
      {"mg a R20\r\n", "HD\r\n"},
      {"mg a R60\r\n", "HD W\r\n"},
      {"mg a R60\r\n", "HD Z\r\n"},
      {"ms b 2\r\nhi\r\n", "HD\r\n"},
      {"mg b R60\r\n", "HD\r\n"},
      {"mg b T30 R60\r\n", "HD W\r\n"},
      {"ms c 2\r\nhi\r\n", "HD\r\n"},
      {"mg c T-1 R60\r\n", "HD W\r\n"},
      {"mg c\r\n", "EN\r\n"},
      {"md b I T60\r\n", "HD\r\n"},
      {"mg b v\r\n", "VA 2 X W\r\nhi\r\n"},
      {"mg b v\r\n", "VA 2 Z X\r\nhi\r\n"},
  });
}

TEST(kv_meta, deletes) {
  expect_replies({
      {"md a\r\n", "NF\r\n"},
      {"md a q\r\n", "NF\r\n"},
      {"ms a 1\r\n1\r\n", "HD\r\n"},
      {"md a C99999 k\r\n", "EX ka\r\n"},
      {"md a q\r\n", ""},
      {"mg a\r\n", "EN\r\n"},
  });
}

TEST(kv_meta, counts) {
  expect_replies({
      {"ma n\r\n", "NF\r\n"},
      {"ma n N0 J13 v\r\n", "VA 2\r\n13\r\n"},
      {"ma n N0 J13 v\r\n", "VA 2\r\n14\r\n"},
      {"ma n D30 v t\r\n", "VA 2 t-1\r\n44\r\n"},
      {"ma n MD D40 v T90 t\r\n", "VA 1 t90\r\n4\r\n"},
      {"mg n v\r\n", "VA 2\r\n4 \r\n"},
      {"ma n q\r\n", ""},
      {"ma n M- k\r\n", "HD kn\r\n"},
      {"ms s 1\r\nx\r\n", "HD\r\n"},
      {"ma s\r\n", "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"},
  });
}

TEST(kv_meta, takes_keys_in_base64) {
  expect_replies({
      {"ms Zm9v 2 b k\r\nhi\r\n", "HD kZm9v b\r\n"},
      {"get foo\r\n", "VALUE foo 0 2\r\nhi\r\nEND\r\n"},
      {"mg Zm9v b k v\r\n", "VA 2 kZm9v b\r\nhi\r\n"},
      {"mg Zm9w b k\r\n", "EN kZm9w b\r\n"},
      {"mg !! b\r\n", "CLIENT_ERROR error decoding key\r\n"},
      {"md Zm9v b k\r\n", "HD kZm9v b\r\n"},
  });
}

TEST(kv_meta, wins_an_item_that_nobody_has_fetched) {
  expect_replies({
      {"ms a 1\r\n1\r\n", "HD\r\n"},
      {"md a I\r\n", "HD\r\n"},
      {"mg a h\r\n", "HD h0 X W\r\n"},
      {"mg a h\r\n", "HD h1 Z X\r\n"},
  });
}

TEST(kv_meta, wins_by_a_new_expiry_without_a_fetch) {
  expect_replies({
      {"ms a 1\r\n1\r\n", "HD\r\n"},
      {"mg a u h T100 R1000\r\n", "HD h0 W\r\n"},
      {"mg a u h\r\n", "HD h0 Z\r\n"},
  });
}

TEST(kv_meta, gives_a_longer_number_its_expiry) {
  expect_replies({
      {"ms n 1 T1000\r\n9\r\n", "HD\r\n"},
      {"ma n T-1\r\n", "HD\r\n"},
      {"mg n\r\n", "EN\r\n"},
  });
}

TEST(kv_meta, describes_an_item) {
  expect_replies({
      {"me a\r\n", "EN\r\n"},
      {"me\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"ms a 1\r\n1\r\n", "HD\r\n"},
  });
  with_store([](test_backend& backend) {
    test_client client(backend);
    client.send("ms a 1\r\n1\r\n");
    const std::string before = client.send("me a\r\n");
    EXPECT_EQ(before.find("ME a exp=-1 la=0 cas="), 0U) << before;
    EXPECT_NE(before.find(" fetch=no cls=1 size=61\r\n"), std::string::npos) << before;
    client.send("get a\r\n");
    EXPECT_NE(client.send("me a\r\n").find(" fetch=yes "), std::string::npos);
  });
}

}  // namespace
