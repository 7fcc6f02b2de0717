// far bench kv and hit-ratio: each row, curve and claim is there, or the reason is told.

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::outcome;
using far::test::run_command;

bool has_memcached() { return std::filesystem::exists("/usr/bin/memcached"); }

TEST(kv_bench_test, servers_are_compared) {
  if (!has_memcached()) GTEST_SKIP() << "memcached is not installed (Debian: memcached)";
  // memcached plays both, so that this needs no far-kv.
  const outcome result = run_command({built("far"), "bench", "kv", "--quick", "--json"},
                                     {{{"FAR_BENCH_FAR_KV", "/usr/bin/memcached"}}, {}, false});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::set<std::string> rows;
  int claims = 0;
  for (const auto& entry : nlohmann::json::parse(result.output)) {
    if (entry.contains("claim")) {
      ++claims;
      EXPECT_NE(entry.at("found").get<std::string>().find(": 1.00 times"), std::string::npos)
          << entry;
      continue;
    }
    rows.insert(entry.at("name"));
    EXPECT_GT(entry.at("ns"), 0) << entry;
    EXPECT_GT(entry.at("peers").at("memcached"), 0) << entry;
  }
  EXPECT_EQ(rows, (std::set<std::string>{"get or set, one at a time", "get or set, 16 deep",
                                         "get of 10 keys, per key", "get or put, in process"}));
  EXPECT_EQ(claims, 2);
}

TEST(kv_bench_test, a_server_that_does_not_start_is_told) {
  const outcome result = run_command({built("far"), "bench", "kv", "--quick"},
                                     {{{"FAR_BENCH_MEMCACHED", "/bin/false"}}, {}, false});
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.errors.find("/bin/false has ended at once"), std::string::npos) << result.errors;
}

TEST(hit_ratio_bench_test, every_cache_has_a_share_of_each_stream) {
  const std::string trace = testing::TempDir() + "hit_ratio.trace";
  {
    std::ofstream file(trace);
    for (int i = 0; i < 1000; ++i) file << "key" << i % 7 << '\n';
  }
  const outcome result = run_command({built("far"), "bench", "hit-ratio", "--quick", "--json"},
                                     {{{"FAR_BENCH_TRACES", trace}}, {}, false});
  std::filesystem::remove(trace);
  ASSERT_EQ(result.status, 0) << result.errors;
  int points = 0;
  for (const auto& entry : nlohmann::json::parse(result.output)) {
    if (entry.contains("claim")) continue;
    ++points;
    const std::string name = entry.at("name");
    const double percent = entry.at("percent");
    if (name.find("hit_ratio.trace") != std::string::npos) {
      EXPECT_NEAR(percent, 99.3, .01) << name;  // all but the first request of each key
    } else {
      EXPECT_GT(percent, 25) << name;
      EXPECT_LT(percent, 85) << name;
    }
  }
  EXPECT_EQ(points, (2 * 6 + 2) * 4);
}

}  // namespace
