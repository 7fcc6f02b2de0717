// The protocol: what is answered, whatever the pieces in which commands come.

#include "bindings/kv/protocol.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bindings/kv/test_backend.hpp"

namespace {

using far::kv::protocol;
using far::kv::testing::test_backend;
using far::kv::testing::test_client;
using far::kv::testing::with_store;
using dialogue = std::vector<std::pair<std::string, std::string>>;

/// Sends each command and expects its reply: all at once, one by one, and byte by byte.
void expect_dialogue(const dialogue& steps) {
  std::string commands;
  std::string replies;
  for (const auto& [command, reply] : steps) {
    commands += command;
    replies += reply;
  }
  with_store(
      [&](test_backend& backend) { EXPECT_EQ(test_client(backend).send(commands), replies); });
  with_store([&](test_backend& backend) {
    test_client client(backend);
    for (const auto& [command, reply] : steps) EXPECT_EQ(client.send(command), reply) << command;
  });
  with_store([&](test_backend& backend) {
    test_client client(backend);
    std::string got;
    for (const char byte : commands) got += client.send({&byte, 1});
    EXPECT_EQ(got, replies);
  });
}

TEST(kv_protocol, stores_and_gets) {
  expect_dialogue({
      {"set a 5 0 3\r\nxyz\r\n", "STORED\r\n"},
      {"get a\r\n", "VALUE a 5 3\r\nxyz\r\nEND\r\n"},
      {"get a b a\n", "VALUE a 5 3\r\nxyz\r\nVALUE a 5 3\r\nxyz\r\nEND\r\n"},
      {"  get   a  \r\n", "VALUE a 5 3\r\nxyz\r\nEND\r\n"},
      {"add a 0 0 1\r\nq\r\n", "NOT_STORED\r\n"},
      {"replace b 0 0 1\r\nq\r\n", "NOT_STORED\r\n"},
      {"append a 9 0 2\r\n\r\n\r\n", "STORED\r\n"},
      {"prepend a 9 0 1\r\n>\r\n", "STORED\r\n"},
      {"get a\r\n", "VALUE a 5 6\r\n>xyz\r\n\r\nEND\r\n"},
      {"set e 0 0 0\r\n\r\n", "STORED\r\n"},
      {"get e\r\n", "VALUE e 0 0\r\n\r\nEND\r\n"},
      {"touch a 100\r\n", "TOUCHED\r\n"},
      {"touch b 100\r\n", "NOT_FOUND\r\n"},
      {"gat 0 e b\r\n", "VALUE e 0 0\r\n\r\nEND\r\n"},
      {"delete e\r\n", "DELETED\r\n"},
      {"delete e 0\r\n", "NOT_FOUND\r\n"},
      {"set g 0 -1 1\r\nx\r\n", "STORED\r\n"},
      {"get g\r\n", "END\r\n"},
  });
}

TEST(kv_protocol, counts_up_and_down) {
  expect_dialogue({
      {"incr n 1\r\n", "NOT_FOUND\r\n"},
      {"set n 0 0 2\r\n10\r\n", "STORED\r\n"},
      {"decr n 1\r\n", "9\r\n"},
      {"get n\r\n", "VALUE n 0 2\r\n9 \r\nEND\r\n"},
      {"incr n 18446744073709551615\r\n", "8\r\n"},
      {"decr n 100\r\n", "0\r\n"},
      {"incr n -1\r\n", "CLIENT_ERROR invalid numeric delta argument\r\n"},
      {"set t 0 0 1\r\nx\r\n", "STORED\r\n"},
      {"incr t 1\r\n", "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"},
  });
}

TEST(kv_protocol, compares_cas_uniques) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    client.send("set a 0 0 1\r\nx\r\n");
    const std::string got = client.send("gets a\r\n");
    const std::string unique = got.substr(12, got.find("\r\n") - 12);
    EXPECT_EQ(got, "VALUE a 0 1 " + unique + "\r\nx\r\nEND\r\n");
    EXPECT_EQ(client.send("cas a 0 0 1 0\r\ny\r\n"), "EXISTS\r\n");
    EXPECT_EQ(client.send("cas b 0 0 1 5\r\ny\r\n"), "NOT_FOUND\r\n");
    EXPECT_EQ(client.send("cas a 0 0 1 " + unique + "\r\ny\r\n"), "STORED\r\n");
    EXPECT_EQ(client.send("cas a 0 0 1 " + unique + "\r\nz\r\n"), "EXISTS\r\n");
    EXPECT_EQ(client.send("get a\r\n"), "VALUE a 0 1\r\ny\r\nEND\r\n");
  });
}

TEST(kv_protocol, refuses_malformed_commands) {
  const std::string long_key(251, 'k');
  expect_dialogue({
      {"\r\n", "ERROR\r\n"},
      {"x\r\n", "ERROR\r\n"},
      {"get\r\n", "ERROR\r\n"},
      {"set a 0 0\r\n", "ERROR\r\n"},
      {"set a b 0 1\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"set a 0 0 -1\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"set " + long_key + " 0 0 1\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"get " + long_key + "\r\n", "CLIENT_ERROR bad command line format\r\n"},
      {"get " + long_key.substr(1) + "\r\n", "END\r\n"},
      {"set a 0 0 1\r\nxyz\r\n", "CLIENT_ERROR bad data chunk\r\nERROR\r\n"},
      {"gat x a\r\n", "CLIENT_ERROR invalid exptime argument\r\n"},
      {"delete a 5\r\n",
       "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n"},
      {"verbosity\r\n", "ERROR\r\n"},
      {std::string("get a\0b\r\n", 9), "END\r\n"},
  });
}

TEST(kv_protocol, says_nothing_if_asked_not_to) {
  expect_dialogue({
      {"set a 0 0 1 noreply\r\n1\r\n", ""},
      {"incr a 1 noreply\r\n", ""},
      {"touch a 0 noreply\r\n", ""},
      {"get a\r\n", "VALUE a 0 1\r\n2\r\nEND\r\n"},
      {"set a 0 x 1 noreply\r\n", ""},
      {"delete a noreply\r\n", ""},
      {"flush_all noreply\r\n", ""},
      {"get a\r\n", "END\r\n"},
  });
}

TEST(kv_protocol, drops_what_is_too_large) {
  with_store([](test_backend& backend) {
    backend.settings.max_item_bytes = 2000;
    test_client client(backend);
    EXPECT_EQ(client.send("set a 0 0 1\r\n1\r\n"), "STORED\r\n");
    const std::string value(1940, 'v');  // with key and header 2000
    EXPECT_EQ(client.send("set b 0 0 1940\r\n" + value + "\r\n"), "STORED\r\n");
    EXPECT_EQ(client.send("set b 7 0 1940\r\n" + value), "");  // not before the value has come
    EXPECT_EQ(client.send("\r\nget b\r\n"), "SERVER_ERROR object too large for cache\r\nEND\r\n");
    EXPECT_EQ(client.send("add a 0 0 1941\r\n" + value + "!\r\n"),
              "SERVER_ERROR object too large for cache\r\n");
    EXPECT_EQ(client.send("get a\r\n"), "VALUE a 0 1\r\n1\r\nEND\r\n");
  });
}

TEST(kv_protocol, closes) {
  const auto closes = [](std::string_view input, const std::string& reply) {
    with_store([&](test_backend& backend) {
      test_client client(backend);
      EXPECT_EQ(client.send(input), reply);
      EXPECT_TRUE(client.protocol.is_closing()) << input;
      EXPECT_EQ(client.send("version\r\n"), "");
    });
  };
  closes("version\r\nquit\r\n", "VERSION 1.6.18\r\n");
  closes("GET / HTTP/1.1\r\n", "");
  closes("\x80\x01", "CLIENT_ERROR the binary protocol is not supported\r\n");
  closes(std::string(2049, 'x'), "");
  closes(std::string(20'000, 'x') + "\r\n", "");
  with_store([](test_backend& backend) {
    test_client client(backend);
    EXPECT_EQ(client.send("get " + std::string(5000, 'x')), "");
    EXPECT_FALSE(client.protocol.is_closing());
  });
}

TEST(kv_protocol, stops_at_much_output_and_goes_on) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    const std::string value(400'000, 'v');
    client.send("set a 0 0 400000\r\n" + value + "\r\n");
    std::string got = client.send("get a a a a a a\r\nversion\r\n");
    EXPECT_TRUE(client.protocol.is_stalled());
    EXPECT_LT(got.size(), protocol::max_output + value.size() + 100);
    while (client.unused() > 0) got += client.take();
    const std::string one = "VALUE a 0 400000\r\n" + value + "\r\n";
    EXPECT_EQ(got, one + one + one + one + one + one + "END\r\nVERSION 1.6.18\r\n");
  });
}

TEST(kv_protocol, says_how_much_input_it_needs) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    EXPECT_EQ(client.send("set a 0 0 100\r\nxy"), "");
    EXPECT_EQ(client.protocol.wanted(), 15U + 102U);
    EXPECT_EQ(client.send(std::string(98, 'z') + "\r\n"), "STORED\r\n");
    EXPECT_EQ(client.protocol.wanted(), 0U);
  });
}

TEST(kv_protocol, commands_on_the_server) {
  expect_dialogue({
      {"version\r\n", "VERSION 1.6.18\r\n"},
      {"verbosity 1\r\n", "OK\r\n"},
      {"stats\r\n", "STAT test 1\r\nEND\r\n"},
      {"stats reset\r\n", "RESET\r\n"},
      {"stats sizes\r\n", "STAT sizes_status disabled\r\nEND\r\n"},
      {"stats none\r\n", "ERROR\r\n"},
      {"stats cachedump 1 1\r\n", "END\r\n"},
      {"stats cachedump 64 1\r\n", "CLIENT_ERROR Illegal slab id\r\n"},
      {"shutdown\r\n", "ERROR: shutdown not enabled\r\n"},
      {"cache_memlimit 64\r\n", "OK\r\n"},
      {"cache_memlimit 2000000000\r\n",
       "MEMLIMIT_ADJUST_FAILED input value is megabytes not bytes\r\n"},
      {"cache_memlimit 1\r\n", "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n"},
      {"slabs reassign 1 1\r\n", "SAME src and dst class are identical\r\n"},
      {"lru_crawler crawl 1,x\r\n", "BADCLASS invalid class id\r\n"},
      {"lru_crawler crawl all\r\n", "OK\r\n"},
      {"lru tune 50 40 .1 2\r\n", "ERROR hot and warm pcts must not exceed 80\r\n"},
  });
}

TEST(kv_protocol, asks_for_a_password) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("far-kv-users.{}", getpid())).string();
  std::ofstream(path) << "foo:bar\nother:a:b\r\n";
  const far::kv::accounts users(path);
  std::filesystem::remove(path);
  with_store([&](test_backend& backend) {
    backend.settings.users = &users;
    test_client client(backend);
    const std::string unknown = "CLIENT_ERROR unauthenticated\r\n";
    EXPECT_EQ(client.send("get a\r\nset a 0 0\r\n"), unknown + unknown);
    EXPECT_EQ(client.send("set a 0 0 3\r\nfoo\r\n"),
              "CLIENT_ERROR bad authentication token format\r\n");
    for (const char* const wrong : {"foo baz", "fop bar", "foo   b", "bar foo"}) {
      EXPECT_EQ(client.send(fmt::format("set a 0 0 7\r\n{}\r\n", wrong)),
                "CLIENT_ERROR authentication failure\r\n");
    }
    EXPECT_EQ(client.send("set a 0 0 7\r\nfoo"), "");
    EXPECT_EQ(client.send(" bar\r\nget a\r\n"), "STORED\r\nEND\r\n");
    EXPECT_EQ(test_client(backend).send("set a 0 0 9\r\nother a:b\r\nset a 0 0 1\r\n1\r\n"),
              "STORED\r\nSTORED\r\n");
  });
  EXPECT_THROW(far::kv::accounts("/none"), far::error);
}

TEST(kv_protocol, gives_others_a_turn) {
  with_store([](test_backend& backend) {
    backend.settings.commands_per_turn = 2;
    test_client client(backend);
    EXPECT_EQ(client.send("mn\r\nmn\r\nmn\r\nmn\r\nmn\r\n"), "MN\r\nMN\r\n");
    EXPECT_TRUE(client.protocol.is_stalled());
    EXPECT_EQ(client.take(), "MN\r\nMN\r\n");
    EXPECT_EQ(client.take(), "MN\r\n");
    EXPECT_FALSE(client.protocol.is_stalled());
  });
}

TEST(kv_protocol, counts_by_prefix) {
  with_store([](test_backend& backend) {
    far::kv::prefix_counts prefixes(':', false);
    backend.prefixes = &prefixes;
    test_client client(backend);
    client.send("set a:1 0 0 1\r\n1\r\n");
    EXPECT_TRUE(prefixes.table().empty());  // not asked for
    prefixes.turn(true);
    client.send("set a:1 0 0 1\r\n1\r\nadd b:c:d 0 0 1\r\n1\r\nset none 0 0 1\r\n1\r\n");
    client.send("get a:1 a:2\r\ngat 0 a:1\r\ndelete a:2\r\nmg a:1\r\nincr a:1 1\r\n");
    far::kv::output out;
    write_prefixes(prefixes.table(), out);
    EXPECT_EQ(out.text(),
              "PREFIX a get 3 hit 2 set 1 del 1\r\nPREFIX b get 0 hit 0 set 1 del 0\r\n");
    prefixes.clear();
    EXPECT_TRUE(prefixes.table().empty());
  });
}

TEST(kv_protocol, flushes_later) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    const far::store_second now = backend.now_s();
    EXPECT_EQ(client.send("flush_all 100\r\n"), "OK\r\n");
    EXPECT_GE(backend.flush_second, now + 99);
    EXPECT_EQ(client.send("flush_all x\r\n"), "CLIENT_ERROR invalid exptime argument\r\n");
    backend.settings.may_flush = false;
    EXPECT_EQ(client.send("flush_all\r\n"), "CLIENT_ERROR flush_all not allowed\r\n");
  });
}

}  // namespace
