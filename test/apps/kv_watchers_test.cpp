// Clients that watch far-kv, from whichever rank.

#include <string>

#include <fmt/format.h>

#include "test/apps/kv_server.hpp"

namespace {

using far::test::kv::client;
using far::test::kv::far_kv;
using far::test::kv::server;
using far::test::kv::ways_to_serve;

class far_kv_watch : public far_kv {};

bool says(client& one, std::string_view what) {
  return one.ask("stats\r\n", "END\r\n").find(what) != std::string::npos;
}

/// Whether the watcher gets a text, behind what it has got.
bool comes(client& watcher, std::string& got, std::string_view what) {
  while (got.find(what) == std::string::npos) {
    const std::string more = watcher.receive("\n");
    if (more.empty()) return false;
    got += more;
  }
  return true;
}

TEST_F(far_kv_watch, shows_what_all_clients_do) {
  for (const auto& way : ways_to_serve()) {
    server here(way);
    client watcher(here.port);
    EXPECT_EQ(watcher.ask("watch mutations\r\n"), "OK\r\n");
    std::string got;
    constexpr int clients = 8;  // of all ranks
    for (int i = 0; i < clients; ++i) {
      const std::string set = fmt::format("set k{} 0 0 2\r\nab\r\n", i);
      EXPECT_EQ(client(here.port).ask(set), "STORED\r\n");
      EXPECT_TRUE(
          comes(watcher, got, fmt::format("type=item_store key=k{} status=stored cmd=set", i)))
          << got;
    }
    client other(here.port);
    EXPECT_TRUE(says(other, "STAT log_watchers 1\r\n"));
    EXPECT_TRUE(says(other, "STAT log_watcher_sent 8\r\n"));
    here.stop();
  }
}

TEST_F(far_kv_watch, shows_connections_and_evictions) {
  for (const auto& way : ways_to_serve()) {
    server here(way, {"-m", "4", "-I", "16k"});
    client watcher(here.port);
    EXPECT_EQ(watcher.ask("watch connevents evictions\r\n"), "OK\r\n");
    client(here.port).send("GET / HTTP/1.1\r\n");
    std::string got;
    EXPECT_TRUE(comes(watcher, got, "type=conn_new rip=127.0.0.1 rport="));
    EXPECT_TRUE(comes(watcher, got, "transport=tcp reason=error")) << got;
    client writer(here.port);
    std::string sets;
    for (int i = 0; i < 1000; ++i) {
      sets += fmt::format("set k{} 0 0 8000 noreply\r\n{}\r\n", i, std::string(8000, 'v'));
    }
    EXPECT_EQ(writer.ask(sets + "mn\r\n", "MN\r\n"), "MN\r\n");
    EXPECT_TRUE(comes(watcher, got, "type=eviction key=k"));
    here.stop();
  }
}

// A watcher that reads nothing: lines are left out, counted, and others do not wait.
TEST_F(far_kv_watch, leaves_out_what_a_slow_watcher_does_not_take) {
  for (const auto& way : ways_to_serve()) {
    server here(way, {"-o", "watcher_logbuf_size=8"});
    client watcher(here.port);
    EXPECT_EQ(watcher.ask("watch\r\n"), "OK\r\n");
    client reader(here.port);
    std::string gets;
    for (int i = 0; i < 1000; ++i) gets += fmt::format("get {}{}\r\n", std::string(200, 'k'), i);
    while (says(reader, "STAT log_watcher_skipped 0\r\n")) reader.ask(gets + "mn\r\n", "MN\r\n");
    // Now it reads: what has been kept, how many lines are missing, and new ones.
    std::string got;
    EXPECT_TRUE(comes(watcher, got, "\nskipped="));
    bool has_come = false;
    // The first may be dropped: what was logged before may still be on its way.
    for (int tries = 0; tries < 3 && !has_come; ++tries) {
      EXPECT_EQ(reader.ask("get new\r\n", "END\r\n"), "END\r\n");
      has_come = comes(watcher, got, "key=new status=not_found");
    }
    EXPECT_TRUE(has_come);
    here.stop();
  }
}

TEST_F(far_kv_watch, ends_with_its_connection) {
  for (const auto& way : ways_to_serve()) {
    server here(way);
    client other(here.port);
    EXPECT_EQ(other.ask("version\r\n"), "VERSION 1.6.18\r\n");  // it is there before the watcher
    {
      client watcher(here.port);
      EXPECT_EQ(watcher.ask("watch fetchers connevents\r\n"), "OK\r\n");
      EXPECT_TRUE(says(other, "STAT log_watchers 1\r\n"));
    }
    EXPECT_TRUE(far::test::eventually([&] { return says(other, "STAT log_watchers 0\r\n"); }));
    here.stop();
  }
}

}  // namespace
