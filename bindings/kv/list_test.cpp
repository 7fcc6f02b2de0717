// Lists of keys: what lines there are, in any order of items, and across pages.

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bindings/kv/departures.hpp"
#include "bindings/kv/test_backend.hpp"

namespace {

using far::kv::listed_page;
using far::kv::testing::test_backend;
using far::kv::testing::test_client;
using far::kv::testing::with_store;

TEST(kv_lists, shows_items_as_memcached) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    client.send("set a%b 7 0 3\r\nxyz\r\n");
    client.send("get a%b\r\n");
    const std::string me = client.send("me a%b\r\n");
    const std::string cas = me.substr(me.find("cas="), me.find(" fetch") - me.find("cas="));
    EXPECT_EQ(client.send("lru_crawler metadump all\r\n"),
              fmt::format("key=a%25b exp=-1 la={} {} fetch=yes cls=1 size=69\nEND\r\n",
                          1'000'000'000 + backend.now_s(), cas));
    EXPECT_EQ(client.send("stats cachedump 1 10\r\n"), "ITEM a%b [3 b; 0 s]\r\nEND\r\n");
    client.send("set a%b 0 100 1\r\nx\r\n");
    EXPECT_EQ(client.send("stats cachedump 1 0\r\n"),
              fmt::format("ITEM a%b [1 b; {} s]\r\nEND\r\n", 1'000'000'100 + backend.now_s()));
    client.send("set a%b 0 -1 1\r\nx\r\n");  // has expired
    EXPECT_EQ(client.send("lru_crawler metadump hash\r\n"), "END\r\n");
  });
}

TEST(kv_lists, obeys_classes_and_limits) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    for (int i = 0; i < 20; ++i) client.send(fmt::format("set s{} 0 0 1\r\nx\r\n", i));
    client.send("set large 0 0 500\r\n" + std::string(500, 'v') + "\r\n");
    client.send("ms YmluYXJ5 1 b\r\nx\r\n");
    const auto lines = [&](std::string_view command) {
      const std::string got = client.send(std::string(command) + "\r\n");
      return std::ranges::count(got, '\n');
    };
    EXPECT_EQ(lines("lru_crawler metadump all"), 23);
    EXPECT_EQ(lines("lru_crawler metadump 1"), 22);
    EXPECT_EQ(lines("lru_crawler metadump 9,10,11"), 2);
    EXPECT_EQ(lines("stats cachedump 1 0"), 21);  // not the binary key
    EXPECT_EQ(lines("stats cachedump 1 7"), 8);
    EXPECT_EQ(lines("stats cachedump 2 0"), 1);
    EXPECT_EQ(client.send("lru_crawler metadump 64\r\n"), "BADCLASS invalid class id\r\n");
    EXPECT_EQ(client.send("stats cachedump 64 0\r\n"), "CLIENT_ERROR Illegal slab id\r\n");
    EXPECT_EQ(client.send("mn\r\nlru_crawler metadump all\r\nmn\r\n"),
              "MN\r\nERROR cannot pipeline other commands before metadump\r\nMN\r\n");
    backend.settings.may_dump = false;
    EXPECT_EQ(client.send("lru_crawler metadump all\r\n"), "ERROR metadump not allowed\r\n");
    EXPECT_EQ(client.send("stats cachedump 1 0\r\n"),
              "CLIENT_ERROR stats cachedump not allowed\r\n");
  });
}

// A long list stops at max_output until it is sent, and its command stays in the input.
TEST(kv_lists, waits_for_who_reads) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    constexpr int keys = 12'000;
    const std::string longer(100, 'k');
    for (int i = 0; i < keys; ++i) client.send(fmt::format("set {}{} 0 0 0\r\n\r\n", longer, i));
    std::string got = client.send("lru_crawler metadump all\r\nmn\r\n");
    std::size_t turns = 0;
    for (; client.protocol.is_stalled(); ++turns) {
      EXPECT_LT(got.size(), (turns + 2) * far::kv::protocol::max_output);
      got += client.take();
    }
    EXPECT_GE(turns, 1U);
    EXPECT_EQ(std::ranges::count(got, '\n'), keys + 2);
    EXPECT_TRUE(got.ends_with("\nEND\r\nMN\r\n"));
  });
}

TEST(kv_lists, takes_pages_that_come_later) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    backend.answers_jobs_later = true;
    EXPECT_EQ(client.send("lru_crawler metadump all\r\nmn\r\n"), "");
    EXPECT_TRUE(client.protocol.is_blocked());
    listed_page page;
    page.items.push_back({"k", {.expires = 5, .accessed = 3, .cas = 9, .value_bytes = 1}});
    page.next = 77;
    page.is_last = false;
    backend.answer_list(page);
    EXPECT_EQ(client.take(), "key=k exp=1000000005 la=1000000003 cas=9 fetch=no cls=1 size=61\n");
    backend.answer_list(listed_page());
    EXPECT_EQ(client.take(), "END\r\nMN\r\n");
  });
}

TEST(kv_lists, look_for_expired_items_is_turned_on_and_off) {
  with_store([](test_backend& backend) {
    test_client client(backend);
    EXPECT_EQ(client.send("lru_crawler enable\r\n"),
              "ERROR failed to start lru crawler thread\r\n");
    EXPECT_EQ(client.send("lru_crawler crawl 1\r\n"), "OK\r\n");
    EXPECT_EQ(client.send("lru_crawler crawl 64\r\n"), "BADCLASS invalid class id\r\n");
    EXPECT_EQ(client.send("lru_crawler disable\r\n"), "OK\r\n");
    EXPECT_EQ(client.send("lru_crawler crawl 1\r\n"), "CLIENT_ERROR lru crawler disabled\r\n");
    EXPECT_EQ(client.send("lru_crawler metadump all\r\n"), "CLIENT_ERROR lru crawler disabled\r\n");
    EXPECT_EQ(client.send("lru_crawler enable\r\n"), "OK\r\n");
  });
}

TEST(kv_lists, count_items_in_the_classes_that_they_are_shown_in) {
  for (const std::size_t largest :
       {std::size_t{1024}, std::size_t{100'000}, std::size_t{1 << 20}}) {
    const far::kv::slab_sizes sizes(largest);
    const std::string key = "k";
    for (std::uint32_t bytes = 0; bytes < largest - 60; bytes += 1 + bytes / 50) {
      const std::size_t all = far::kv::memcached_item_bytes(key.size(), bytes, 0);
      EXPECT_EQ(sizes.of(key, {.value_bytes = bytes}), far::kv::memcached_slab_class(all, largest))
          << bytes << " of " << largest;
    }
  }
}

TEST(kv_lists, count_what_leaves_by_size) {
  far::kv::event_log log(0, 1, 4096);
  far::kv::departures leaving(log, 1 << 20, [] { return far::store_second{10}; });
  using far::departure;
  leaving.leaves(departure::evicted, "k", {.value_bytes = 10, .was_fetched = true});
  leaving.leaves(departure::evicted, "k", {.value_bytes = 66'560});
  leaving.leaves(departure::expired, "k", {.value_bytes = 10});
  {
    const far::kv::departures::search searching;
    leaving.leaves(departure::expired, "k", {.value_bytes = 10, .was_fetched = true});
  }
  far::kv::size_table sums{};
  leaving.add_to(sums);
  EXPECT_EQ(sums[1].evicted, 1U);
  EXPECT_EQ(sums[1].evicted_unfetched, 0U);
  EXPECT_EQ(sums[31].evicted_unfetched, 1U);
  EXPECT_EQ(sums[1].expired, 2U);
  EXPECT_EQ(sums[1].expired_unfetched, 1U);
  EXPECT_EQ(sums[1].searched, 1U);
  leaving.reset();
  sums = {};
  leaving.add_to(sums);
  EXPECT_FALSE(sums[1].is_used());
}

}  // namespace
