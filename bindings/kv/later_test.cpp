// Commands on keys elsewhere, which are answered later.

#include <string>

#include <gtest/gtest.h>

#include "bindings/kv/test_backend.hpp"

namespace {

using far::kv::protocol;
using far::kv::testing::test_backend;
using far::kv::testing::test_client;
using far::kv::testing::with_store;

TEST(kv_later, replies_keep_the_order) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    EXPECT_EQ(client.send("set far1 0 0 1\r\n1\r\nset a 0 0 1\r\n2\r\nset far2 0 0 1\r\n3\r\n"),
              "");
    ASSERT_EQ(backend.waiting(), 2U);
    backend.answer(1);
    EXPECT_EQ(client.take(), "");
    backend.answer(0);
    EXPECT_EQ(client.take(), "STORED\r\nSTORED\r\nSTORED\r\n");
    EXPECT_EQ(client.answers, 2);
    EXPECT_FALSE(client.protocol.has_pending());
  });
}

TEST(kv_later, gets_of_several_keys_are_in_flight_together) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    client.send("set far1 0 0 1\r\n1\r\nset a 0 0 1\r\n2\r\nset far2 0 0 1\r\n3\r\n");
    backend.answer();
    backend.answer();
    client.take();
    EXPECT_EQ(client.send("get far1 a far2 far3\r\nversion\r\n"), "");
    ASSERT_EQ(backend.waiting(), 3U);
    backend.answer(2);
    backend.answer(1);
    backend.answer(0);
    EXPECT_EQ(client.take(),
              "VALUE far1 0 1\r\n1\r\nVALUE a 0 1\r\n2\r\nVALUE far2 0 1\r\n3\r\nEND\r\n"
              "VERSION 1.6.18\r\n");
  });
}

TEST(kv_later, commands_on_one_key_wait_for_each_other) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    EXPECT_EQ(client.send("set far 0 0 1\r\n1\r\nincr far 1\r\nget far\r\nget far\r\n"), "");
    EXPECT_EQ(backend.waiting(), 1U);
    EXPECT_TRUE(client.protocol.is_blocked());
    backend.answer();
    EXPECT_EQ(client.take(), "STORED\r\n");
    EXPECT_EQ(backend.waiting(), 1U);
    backend.answer();
    EXPECT_EQ(client.take(), "2\r\n");
    EXPECT_EQ(backend.waiting(), 2U);  // gets do not
    backend.answer();
    backend.answer();
    EXPECT_EQ(client.take(), "VALUE far 0 1\r\n2\r\nEND\r\nVALUE far 0 1\r\n2\r\nEND\r\n");
  });
}

TEST(kv_later, so_many_wait_and_no_more) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    std::string gets;
    for (std::size_t i = 0; i <= protocol::max_pending; ++i) {
      gets += "mg far" + std::to_string(i) + "\r\n";
    }
    client.send(gets);
    EXPECT_EQ(backend.waiting(), protocol::max_pending);
    EXPECT_TRUE(client.protocol.is_blocked());
    while (backend.waiting() > 0) backend.answer();
    client.take();
    EXPECT_EQ(backend.waiting(), 1U);
  });
}

TEST(kv_later, a_flush_waits) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    client.send("set far 0 0 1\r\n1\r\nflush_all\r\n");
    backend.answer();
    EXPECT_EQ(client.take(), "STORED\r\nOK\r\n");
    client.send("get far\r\n");
    backend.answer();
    EXPECT_EQ(client.take(), "END\r\n");
  });
}

TEST(kv_later, commands_behind_a_flush_wait_for_it) {
  with_store([](test_backend& backend) {
    backend.answers_jobs_later = true;
    test_client client(backend);
    EXPECT_EQ(client.send("set a 0 0 1\r\n1\r\nflush_all\r\nadd a 0 0 1\r\n2\r\n"), "STORED\r\n");
    EXPECT_TRUE(client.protocol.is_blocked());
    backend.answer_job("");
    EXPECT_EQ(client.take(), "OK\r\nSTORED\r\n");
    EXPECT_EQ(client.send("stats\r\nversion\r\n"), "");
    backend.answer_job("STAT a 1\r\n");
    EXPECT_EQ(client.take(), "STAT a 1\r\nEND\r\nVERSION 1.6.18\r\n");
  });
}

TEST(kv_later, an_answer_outlives_its_connection) {
  with_store([](test_backend& backend) {
    { test_client(backend).send("get far\r\n"); }
    backend.answer();
    EXPECT_EQ(backend.waiting(), 0U);
  });
}

}  // namespace
