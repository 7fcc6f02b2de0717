// The command watch, and the lines of the log.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bindings/kv/departures.hpp"
#include "bindings/kv/test_backend.hpp"
#include "bindings/kv/watch_lines.hpp"

namespace {

using far::kv::event_log;
using far::kv::testing::test_backend;
using far::kv::testing::test_client;
using far::kv::testing::with_store;
namespace events = far::kv::events;

/// A log of rank 1 of 2, for a backend; and what it has, without times.
class watched_backend {
 public:
  explicit watched_backend(test_backend& backend, far::kv::event_kinds kinds) : log(1, 2, 4096) {
    log.set_wake([this] { ++wakes; });
    log.set_wanted(0, 1, kinds);
    backend.log = &log;
  }
  std::string lines() {
    std::string all;
    for (const auto& event : log.take()) {
      EXPECT_TRUE(event.line.starts_with("ts=")) << event.line;
      all += event.line.substr(event.line.find("gid="));
    }
    return all;
  }
  event_log log;
  int wakes = 0;
};

TEST(kv_watch, logs_what_is_fetched_and_stored) {
  with_store([](test_backend& backend) {
    watched_backend watched(backend, events::fetches | events::mutations);
    test_client client(backend, 7);
    client.send("set a/b 0 50 3\r\nabc\r\n");
    client.send("get a/b none\r\nmg a/b v\r\n");
    EXPECT_EQ(watched.lines(),
              "gid=2 type=item_get key=a%2Fb status=not_found clsid=0 cfd=7 size=0\n"
              "gid=4 type=item_store key=a%2Fb status=stored cmd=set ttl=50 clsid=1 cfd=7 size=3\n"
              "gid=6 type=item_get key=a%2Fb status=found clsid=1 cfd=7 size=3\n"
              "gid=8 type=item_get key=none status=not_found clsid=0 cfd=7 size=0\n"
              "gid=10 type=item_get key=a%2Fb status=found clsid=1 cfd=7 size=3\n");
    client.send("cas a/b 0 0 1 1234567\r\nx\r\nincr a/b 1\r\ndelete none\r\n");
    EXPECT_EQ(watched.lines(),
              "gid=12 type=item_get key=a%2Fb status=found clsid=1 cfd=7 size=3\n"
              "gid=14 type=item_store key=a%2Fb status=exists cmd=cas ttl=0 clsid=1 cfd=7 size=1\n"
              "gid=16 type=item_get key=a%2Fb status=found clsid=1 cfd=7 size=3\n"
              "gid=18 type=item_get key=none status=not_found clsid=0 cfd=7 size=0\n");
    // A look for the log is no use of the item.
    client.send("set c 0 0 1\r\nx\r\nset c 0 0 1\r\ny\r\n");
    EXPECT_NE(client.send("me c\r\n").find("fetch=no"), std::string::npos);
  });
}

TEST(kv_watch, logs_only_what_somebody_wants) {
  with_store([](test_backend& backend) {
    watched_backend watched(backend, events::mutations);
    test_client client(backend);
    client.send("get a\r\nadd a 0 0 1\r\nx\r\nadd a 0 0 1\r\ny\r\nms b 1 MA\r\nx\r\n");
    EXPECT_EQ(watched.lines(),
              "gid=2 type=item_store key=a status=stored cmd=add ttl=0 clsid=1 cfd=-1 size=1\n"
              "gid=4 type=item_store key=a status=not_stored cmd=add ttl=0 clsid=1 cfd=-1 size=1\n"
              "gid=6 type=item_store key=b status=not_stored cmd=append ttl=0 clsid=1 cfd=-1 "
              "size=1\n");
    watched.log.set_wanted(0, 3, 0);
    watched.log.set_wanted(0, 2, events::mutations);  // older than what is known
    client.send("set a 0 0 1\r\nx\r\n");
    EXPECT_EQ(watched.lines(), "");
    watched.log.set_wanted(1, 1, events::evictions);
    EXPECT_TRUE(watched.log.wants(events::evictions));
    EXPECT_EQ(watched.log.wanted_at(0), 0);
    far::kv::departures leaving(watched.log, 1 << 20, [] { return far::store_second{10}; });
    using far::departure;
    leaving.leaves(departure::evicted, "k",
                   {.expires = 30, .accessed = 4, .value_bytes = 5, .was_fetched = true});
    leaving.leaves(departure::evicted, "never", {.accessed = 10});
    leaving.leaves(departure::expired, "past", {.expires = 5});
    EXPECT_EQ(watched.lines(),
              "gid=8 type=eviction key=k fetch=yes ttl=20 la=6 clsid=1 size=5\n"
              "gid=10 type=eviction key=never fetch=no ttl=-1 la=0 clsid=1 size=0\n");
  });
}

TEST(kv_watch, drops_lines_when_nobody_takes_them_and_wakes_once) {
  event_log log(0, 1, 1000);
  int wakes = 0;
  log.set_wake([&] { ++wakes; });
  const std::string line(90, 'x');
  for (int i = 0; i < 20; ++i) log.add(events::fetches, line);
  EXPECT_EQ(wakes, 1);
  const std::size_t kept = log.take().size();
  EXPECT_GT(kept, 5U);
  EXPECT_EQ(log.written(), kept);
  EXPECT_EQ(log.dropped(), 20 - kept);
  log.add(events::fetches, line);
  EXPECT_EQ(wakes, 1);  // who takes goes on until there is nothing
  EXPECT_EQ(log.take().size(), 1U);
  EXPECT_TRUE(log.take().empty());
  log.add(events::fetches, line);
  EXPECT_EQ(wakes, 2);
}

TEST(kv_watch, answers_as_memcached) {
  with_store([](test_backend& backend) {
    EXPECT_EQ(test_client(backend).send("watch none\r\n"), "ERROR\r\n");
    EXPECT_EQ(test_client(backend).send("mn\r\nwatch\r\nmn\r\n"),
              "MN\r\nERROR cannot pipeline other commands before watch\r\nMN\r\n");
    test_client client(backend);
    EXPECT_EQ(client.send("watch evictions mutations\r\nget a\r\n"), "OK\r\n");
    EXPECT_EQ(client.protocol.watched(), events::evictions | events::mutations);
    EXPECT_EQ(client.send("get a\r\n"), "");
    EXPECT_EQ(client.unused(), 0U);
    backend.answers_jobs_later = true;
    test_client later(backend);
    EXPECT_EQ(later.send("watch\r\n"), "");
    backend.answer_job("");
    EXPECT_EQ(later.take(), "OK\r\n");
    EXPECT_EQ(later.protocol.watched(), events::fetches);
    backend.settings.may_watch = false;
    EXPECT_EQ(test_client(backend).send("watch\r\n"),
              "CLIENT_ERROR watch commands not allowed\r\n");
  });
}

}  // namespace
