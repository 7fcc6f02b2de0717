// far-kv as its clients see it: over sockets, on one rank and two.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "test/apps/kv_server.hpp"
#include "test/apps/programs.hpp"

namespace {

using far::test::built;
using far::test::command;
using far::test::expect_help;
using far::test::expect_refusal;
using far::test::far_run;
using far::test::run_command;
using far::test::with;
using far::test::words;
using far::test::kv::client;
using far::test::kv::far_kv;
using far::test::kv::server;
using far::test::kv::ways_to_serve;

TEST_F(far_kv, answers_each_client) {
  for (const words& way : ways_to_serve()) {
    server here(way);
    for (int i = 0; i < 8; ++i) {
      client one(here.port);
      EXPECT_EQ(one.ask(fmt::format("set k{} 7 0 2\r\nab\r\n", i)), "STORED\r\n");
    }
    for (int i = 0; i < 8; ++i) {  // through whichever rank
      client one(here.port);
      EXPECT_EQ(one.ask(fmt::format("get k{}\r\n", i), "END\r\n"),
                fmt::format("VALUE k{} 7 2\r\nab\r\nEND\r\n", i));
      EXPECT_NE(one.ask("stats\r\n", "END\r\n").find("STAT curr_items 8\r\n"), std::string::npos);
    }
    client one(here.port);
    EXPECT_EQ(one.ask("flush_all\r\nget k1 k2 k3\r\n", "END\r\n"), "OK\r\nEND\r\n");
    here.stop();
  }
}

TEST_F(far_kv, takes_commands_in_any_pieces) {
  std::string commands;
  std::string replies;
  for (int i = 0; i < 50; ++i) {
    commands += fmt::format("set k{0} 0 0 3\r\n{0:03}\r\nget k{0} none\r\nincr k{0} 1\r\n", i);
    replies += fmt::format("STORED\r\nVALUE k{0} 0 3\r\n{0:03}\r\nEND\r\n{1}\r\n", i, i + 1);
  }
  commands += "mn\r\n";
  replies += "MN\r\n";
  for (const words& way : ways_to_serve()) {
    server here(way);
    EXPECT_EQ(client(here.port).ask(commands, "MN\r\n"), replies);
    client slow(here.port);
    for (const char byte : commands) slow.send({&byte, 1});
    EXPECT_EQ(slow.receive("MN\r\n"), replies);
    const std::string value(900'000, 'v');
    client large(here.port);
    EXPECT_EQ(large.ask("set large 0 0 900000\r\n" + value + "\r\n"), "STORED\r\n");
    EXPECT_EQ(large.ask("get large large\r\n", "END\r\n").size(),
              2 * (value.size() + std::string("VALUE large 0 900000\r\n\r\n").size()) + 5);
    here.stop(SIGINT);
  }
}

// A client that asks for much and reads nothing: the server stops reading from it, and answers
// others.
TEST_F(far_kv, stops_reading_from_who_does_not_read) {
  for (const words& way : {words{built("far-kv")}, far_run({"-n", "2", built("far-kv")})}) {
    server here(way);
    client slow(here.port);
    EXPECT_EQ(slow.ask("set a 0 0 500000\r\n" + std::string(500'000, 'v') + "\r\n"), "STORED\r\n");
    std::string gets;
    for (int i = 0; i < 10'000; ++i) gets += "get a\r\n";
    constexpr std::size_t limit = 200 << 20;
    EXPECT_LT(slow.flood(gets, limit), limit);
    EXPECT_EQ(client(here.port).ask("version\r\n"), "VERSION 1.6.18\r\n");
    here.stop();
  }
}

TEST_F(far_kv, goes_on_when_a_slow_client_reads) {
  for (const words& way : ways_to_serve()) {
    server here(way);
    client slow(here.port);
    EXPECT_EQ(slow.ask("set a 0 0 500000\r\n" + std::string(500'000, 'v') + "\r\n"), "STORED\r\n");
    for (int i = 0; i < 40; ++i) slow.send("get a\r\n");
    slow.send("mn\r\n");
    EXPECT_EQ(client(here.port).ask("version\r\n"), "VERSION 1.6.18\r\n");
    const std::size_t each = std::string("VALUE a 0 500000\r\n\r\nEND\r\n").size() + 500'000;
    EXPECT_EQ(slow.receive("MN\r\n").size(), 40 * each + 4);
    here.stop();
  }
}

TEST_F(far_kv, keeps_one_clients_garbage_from_others) {
  server here({built("far-kv")});
  client good(here.port);
  EXPECT_EQ(good.ask("set a 0 0 1\r\n1\r\n"), "STORED\r\n");
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(i * 7919 >> 3);
  for (int i = 0; i < 20; ++i) client(here.port).send(garbage.substr(static_cast<std::size_t>(i)));
  client stalled(here.port);
  stalled.send("set b 0 0 1000\r\nxyz");
  client binary(here.port);
  EXPECT_EQ(binary.ask(std::string("\x80\x00\x00\x01", 4), "<closed>"),
            "CLIENT_ERROR the binary protocol is not supported\r\n<closed>");
  EXPECT_EQ(good.ask("get a\r\n", "END\r\n"), "VALUE a 0 1\r\n1\r\nEND\r\n");
  here.stop();
}

TEST_F(far_kv, answers_what_it_has_read_before_it_stops) {
  for (const words& way : ways_to_serve()) {
    server here(way);
    client one(here.port);
    std::string commands;
    for (int i = 0; i < 2000; ++i) commands += fmt::format("set k{} 0 0 1\r\n1\r\n", i);
    EXPECT_EQ(one.ask("version\r\n"), "VERSION 1.6.18\r\n");
    one.send(commands + "mn\r\nset last 0 0 5\r\n12");
    here.stop();
    const std::string got = one.receive("<closed>");
    EXPECT_TRUE(got.ends_with("STORED\r\nMN\r\n<closed>")) << got.size();
  }
}

TEST_F(far_kv, refuses_a_port_in_use) {
  server here({built("far-kv")});
  const words port{"-p", std::to_string(here.port)};
  expect_refusal(with({built("far-kv")}, port), "cannot listen on 127.0.0.1");
  expect_refusal(with(far_run({"-n", "2", built("far-kv")}), port), "Address already in use");
  EXPECT_EQ(client(here.port).ask("version\r\n"), "VERSION 1.6.18\r\n");
  here.stop();
}

TEST_F(far_kv, listens_on_a_path) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("far-kv-test.{}", getpid())).string();
  for (const words& way : ways_to_serve()) {
    command program(with(way, {"-s", path, "-a", "0770"}));
    ASSERT_TRUE(program.wait_for_output("\n"));
    EXPECT_EQ(std::filesystem::status(path).permissions() & std::filesystem::perms::mask,
              std::filesystem::perms::owner_all | std::filesystem::perms::group_all);
    EXPECT_EQ(client(path).ask("version\r\n"), "VERSION 1.6.18\r\n");
    expect_refusal(with(way, {"-s", path}), "Address already in use");
    program.send(SIGTERM);
    EXPECT_EQ(program.finish().status, 0);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST_F(far_kv, limits_connections_and_obeys_shutdown) {
  server here({built("far-kv")}, {"-c", "2", "-A"});
  client first(here.port);
  EXPECT_EQ(first.ask("version\r\n"), "VERSION 1.6.18\r\n");
  {
    client second(here.port);
    EXPECT_EQ(second.ask("version\r\n"), "VERSION 1.6.18\r\n");
    EXPECT_EQ(client(here.port).receive("<closed>"), "ERROR Too many open connections\r\n<closed>");
  }
  EXPECT_TRUE(far::test::eventually(
      [&] { return client(here.port).ask("version\r\n") == "VERSION 1.6.18\r\n"; }));
  first.send("shutdown\r\n");
  EXPECT_EQ(first.receive("<closed>"), "<closed>");
}

TEST_F(far_kv, counts_by_prefix_and_what_is_flushed) {
  for (const words& way : ways_to_serve()) {
    server here(way);
    client first(here.port);
    EXPECT_EQ(first.ask("stats detail on\r\n"), "OK\r\n");
    constexpr int clients = 8;  // of whichever rank
    for (int i = 0; i < clients; ++i) {
      EXPECT_EQ(client(here.port).ask(fmt::format("set p:{} 0 0 1\r\n1\r\n", i)), "STORED\r\n");
    }
    EXPECT_EQ(first.ask("stats detail dump\r\n", "END\r\n"),
              "PREFIX p get 0 hit 0 set 8 del 0\r\nEND\r\n");
    EXPECT_EQ(first.ask("flush_all\r\n"), "OK\r\n");
    EXPECT_NE(first.ask("stats\r\n", "END\r\n").find("STAT reclaimed 8\r\n"), std::string::npos);
    EXPECT_EQ(first.ask("stats reset\r\n"), "RESET\r\n");
    EXPECT_EQ(client(here.port).ask("stats detail dump\r\n", "END\r\n"), "END\r\n");
    EXPECT_NE(first.ask("stats\r\n", "END\r\n").find("STAT reclaimed 0\r\n"), std::string::npos);
    here.stop();
  }
}

TEST_F(far_kv, gives_connections_turns) {
  server here({built("far-kv")}, {"-R", "3"});
  client one(here.port);
  std::string commands;
  std::string replies;
  for (int i = 0; i < 1000; ++i) {
    commands += fmt::format("set k{} 0 0 1\r\n1\r\n", i);
    replies += "STORED\r\n";
  }
  EXPECT_EQ(one.ask(commands + "mn\r\n", "MN\r\n"), replies + "MN\r\n");
  EXPECT_EQ(one.ask("stats\r\n", "END\r\n").find("STAT conn_yields 0\r\n"), std::string::npos);
  here.stop();
}

TEST_F(far_kv, closes_idle_connections) {
  server here({built("far-kv")}, {"-o", "modern,hashpower=20,idle_timeout=1"});
  client idle(here.port);
  EXPECT_EQ(idle.ask("version\r\n"), "VERSION 1.6.18\r\n");
  EXPECT_EQ(idle.receive("<closed>"), "<closed>");
  here.stop();
}

// Where each rank has a machine of its own, keys of the other one are reached by calls.
#ifdef FAR_TEST_UCX
TEST_F(far_kv, serves_from_two_machines) {
  command program(with({"env", "FAR_FABRIC=ucx", "FAR_RANKS_PER_NODE=1", "UCX_TLS=tcp"},
                       with(far_run({"-n", "2", built("far-kv")}), {"-p", "0"})));
  ASSERT_TRUE(program.wait_for_output("\nfar-kv listens on 127.0.0.1:"));  // the second line
  const std::vector<int> ports = far::test::numbers_after(program.output(), "127.0.0.1:");
  ASSERT_EQ(ports.size(), 2U);
  client one(ports[0]);
  client other(ports[1]);
  std::string sets;
  std::string get = "get";
  std::string values;
  for (int i = 0; i < 100; ++i) {
    sets += fmt::format("set k{0} 0 0 2\r\n{0:02}\r\nincr k{0} 1\r\n", i);
    get += fmt::format(" k{}", i);
    values += fmt::format("VALUE k{0} 0 {1}\r\n{2}\r\n", i, i == 99 ? 3 : 2,
                          i < 9 ? fmt::format("{} ", i + 1) : std::to_string(i + 1));
  }
  EXPECT_TRUE(one.ask(sets + "mn\r\n", "MN\r\n").ends_with("\r\n100\r\nMN\r\n"));
  EXPECT_EQ(other.ask(get + "\r\n", "END\r\n"), values + "END\r\n");
  EXPECT_NE(other.ask("stats\r\n", "END\r\n").find("STAT curr_items 100\r\n"), std::string::npos);
  EXPECT_EQ(other.ask("flush_all\r\n"), "OK\r\n");
  EXPECT_EQ(one.ask(get + "\r\n", "END\r\n"), "END\r\n");
  program.send(SIGTERM);
  const auto ended = program.finish();
  EXPECT_EQ(ended.status, 0) << ended.errors;
}
#endif

TEST_F(far_kv, ends_when_a_rank_dies) {
  command program(with(far_run({"-n", "2", built("far-kv")}), {"-p", "0"}));
  ASSERT_TRUE(program.wait_for_output("\n"));
  const auto ranks = far::test::children_of(program.pid());
  ASSERT_EQ(ranks.size(), 2U);
  kill(ranks[1], SIGKILL);
  const auto ended = program.finish();
  EXPECT_NE(ended.status, 0);
  EXPECT_NE(ended.errors.find("died from signal 9"), std::string::npos) << ended.errors;
}

// A C++ program that serves a store which it uses itself, and that handles signals itself.
TEST_F(far_kv, is_part_of_another_program) {
  const std::string program_path = built("example_kv_visits");
  for (const words& way : {words{program_path}, far_run({"-n", "2", program_path})}) {
    const int ranks = way.size() == 1 ? 1 : 2;
    const std::string home = std::to_string(750 * ranks);
    EXPECT_EQ(
        run_command(way).output,
        fmt::format("VALUE visits:/home 0 {}\r\n{}\r\nVALUE visits:/news 0 3\r\n{}\r\nEND\r\n",
                    home.size(), home, 250 * ranks));
    command program(with(way, {"0"}));
    ASSERT_TRUE(program.wait_for_output("\n"));
    const auto ports = far::test::numbers_after(program.output(), "serving 127.0.0.1:");
    ASSERT_EQ(ports.size(), 1U);
    client one(ports[0]);
    EXPECT_EQ(one.ask("incr visits:/home 1000000\r\n").size(), 9U);
    program.send(SIGTERM);
    const auto ended = program.finish();
    EXPECT_EQ(ended.status, 0) << ended.errors;
    EXPECT_EQ(ended.errors, "");
  }
}

TEST_F(far_kv, checks_its_options) {
  const auto refuses = [](const words& arguments, std::string_view what) {
    expect_refusal(with({built("far-kv")}, arguments), what);
  };
  refuses({"-p", "65536"}, "--port");
  refuses({"-U", "11211"}, "--udp-port");
  refuses({"-I", "1000"}, "no size of an item");
  refuses({"-I", "2m"}, "no size of an item");
  refuses({"-I", "1m", "-m", "1"}, "half of the memory");
  refuses({"-a", "9"}, "no access mask");
  refuses({"-Y", "/none"}, "cannot read users");
  refuses({"-D", "ab"}, "one character");
  refuses({"-R", "0"}, "--max-reqs-per-event");
  refuses({"-o", "modern,no_such"}, "no extended option 'no_such'");
  refuses({"-o", "idle_timeout=x"}, "idle_timeout must be a number");
  refuses({"-l", "no.such.host.invalid"}, "cannot listen on no.such.host.invalid");
  refuses({"-s", std::string(200, 'x')}, "too long for a Unix socket");
}

TEST_F(far_kv, helps) { expect_help("far-kv", {{"--help"}, {"-h"}}); }

}  // namespace
