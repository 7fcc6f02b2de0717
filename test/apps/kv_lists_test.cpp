// Lists of far-kv's keys, from all ranks, while others change them.

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "test/apps/kv_server.hpp"

namespace {

using far::test::kv::client;
using far::test::kv::far_kv;
using far::test::kv::server;
using far::test::kv::ways_to_serve;

class far_kv_lists : public far_kv {};

std::string many_sets(std::string_view prefix, int keys) {
  std::string sets;
  for (int i = 0; i < keys; ++i) sets += fmt::format("set {}{} 0 0 1 noreply\r\n1\r\n", prefix, i);
  return sets + "mn\r\n";
}

/// The keys of a metadump that begin with "stays".
std::multiset<std::string> staying_keys(std::string_view list) {
  std::multiset<std::string> keys;
  constexpr std::string_view begin = "key=stays";
  for (std::size_t at = list.find(begin); at != std::string_view::npos;
       at = list.find(begin, at + 1)) {
    keys.emplace(list.substr(at + begin.size(), list.find(' ', at) - at - begin.size()));
  }
  return keys;
}

// The client takes nothing until others have doubled the number of keys, and the index has grown.
TEST_F(far_kv_lists, have_each_key_once_while_others_come) {
  constexpr int keys = 20'000;
  std::multiset<std::string> expected;
  for (int i = 0; i < keys; ++i) expected.insert(std::to_string(i));
  for (const auto& way : ways_to_serve()) {
    server here(way);
    client writer(here.port);
    EXPECT_EQ(writer.ask(many_sets("stays", keys), "MN\r\n"), "MN\r\n");
    client reader(here.port);
    reader.send("lru_crawler metadump all\r\n");
    EXPECT_EQ(writer.ask(many_sets("comes", keys), "MN\r\n"), "MN\r\n");
    const std::string list = reader.receive("END\r\n");
    EXPECT_EQ(staying_keys(list), expected);
    EXPECT_EQ(reader.ask("mn\r\n"), "MN\r\n");
    here.stop();
  }
}

TEST_F(far_kv_lists, search_for_expired_items_when_asked_to) {
  for (const auto& way : ways_to_serve()) {
    server here(way, {"-o", "no_lru_crawler"});
    client one(here.port);
    std::string sets;
    for (int i = 0; i < 100; ++i) sets += fmt::format("set k{} 0 1 1 noreply\r\n1\r\n", i);
    EXPECT_EQ(one.ask(sets + "mn\r\n"), "MN\r\n");
    EXPECT_EQ(one.ask("lru_crawler crawl all\r\n"), "CLIENT_ERROR lru crawler disabled\r\n");
    EXPECT_TRUE(
        far::test::eventually([&] { return one.ask("get k1\r\n", "END\r\n") == "END\r\n"; }));
    // Nobody has looked for them.
    EXPECT_NE(one.ask("stats\r\n", "END\r\n").find("STAT crawler_reclaimed 0\r\n"),
              std::string::npos);
    EXPECT_EQ(one.ask("lru_crawler enable\r\n"), "OK\r\n");
    EXPECT_EQ(one.ask("lru_crawler crawl all\r\n"), "OK\r\n");
    EXPECT_TRUE(far::test::eventually([&] {
      return one.ask("stats\r\n", "END\r\n").find("STAT curr_items 0\r\n") != std::string::npos;
    }));
    here.stop();
  }
}

TEST_F(far_kv_lists, count_by_size_on_all_ranks) {
  for (const auto& way : ways_to_serve()) {
    server here(way, {"-m", "16"});
    client one(here.port);
    EXPECT_EQ(one.ask(many_sets("small", 10'000), "MN\r\n"), "MN\r\n");
    const auto has = [&](std::string_view command, std::string_view line) {
      const std::string got = one.ask(fmt::format("{}\r\n", command), "END\r\n");
      return got.find(fmt::format("STAT {}\r\n", line)) != std::string::npos;
    };
    EXPECT_TRUE(has("stats items", "items:1:number 10000"));
    EXPECT_TRUE(has("stats slabs", "1:used_chunks 10000"));
    EXPECT_TRUE(has("stats slabs", "active_slabs 1"));
    std::string sets;
    for (int i = 0; i < 400; ++i) {
      sets += fmt::format("set large{} 0 0 66560 noreply\r\n{}\r\n", i, std::string(66'560, 'v'));
    }
    EXPECT_EQ(one.ask(sets + "mn\r\n", "MN\r\n"), "MN\r\n");
    EXPECT_TRUE(has("stats slabs", "31:chunk_size 82792"));
    EXPECT_FALSE(has("stats items", "items:31:evicted 0"));
    EXPECT_EQ(one.ask("stats reset\r\n"), "RESET\r\n");
    EXPECT_TRUE(has("stats items", "items:31:evicted 0"));
    here.stop();
  }
}

}  // namespace
