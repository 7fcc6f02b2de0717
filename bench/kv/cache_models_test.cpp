#include "bench/kv/cache_models.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/kv/log_model.hpp"
#include "bench/kv/memcached_model.hpp"
#include "bench/kv/request_streams.hpp"

namespace far::bench {
namespace {

constexpr std::size_t keys = 10'000;
constexpr std::size_t items = 1000;

template <class Cache>
class cache_model_test : public testing::Test {};
using cache_models =
    testing::Types<lru_cache, sieve_cache, s3_fifo_cache, memcached_cache, log_cache>;
TYPED_TEST_SUITE(cache_model_test, cache_models);

template <class Cache>
std::size_t items_in(Cache& cache) {
  std::size_t count = 0;
  for (cache_key key = 0; key < keys; ++key) count += cache.get(key) ? 1u : 0u;
  return count;
}

TYPED_TEST(cache_model_test, holds_what_was_put_and_no_more_than_its_capacity) {
  TypeParam cache(keys, items);
  EXPECT_FALSE(cache.get(5));
  cache.put(5);
  EXPECT_TRUE(cache.get(5));
  EXPECT_FALSE(cache.get(6));
  const request_stream stream = zipf_stream(keys, 50'000);
  for (const cache_key key : stream.requests) {
    if (!cache.get(key)) cache.put(key);
    EXPECT_TRUE(cache.get(key));
  }
  const std::size_t found = items_in(cache);
  EXPECT_LE(found, items);
  EXPECT_GE(found, items - items / 100);  // a log's segments may be partly empty
}

TYPED_TEST(cache_model_test, keeps_what_is_asked_for_all_the_time) {
  TypeParam cache(keys, items);
  cache.put(0);
  cache.put(1);
  for (cache_key key = 2; key < keys; ++key) {
    EXPECT_TRUE(cache.get(0)) << key;
    EXPECT_TRUE(cache.get(1)) << key;
    cache.put(key);
  }
  EXPECT_FALSE(cache.get(2));
}

TYPED_TEST(cache_model_test, an_item_put_again_takes_no_second_place) {
  TypeParam cache(keys, items);
  for (cache_key key = 0; key < items / 2; ++key) cache.put(key);
  for (int i = 0; i < 100; ++i) {
    for (cache_key key = 0; key < items / 2; ++key) cache.put(key);
  }
  EXPECT_EQ(items_in(cache), items / 2);
}

TEST(lru_cache_test, evicts_the_least_recently_used) {
  lru_cache cache(10, 3);
  for (const cache_key key : {0u, 1u, 2u}) cache.put(key);
  EXPECT_TRUE(cache.get(0));
  cache.put(3);
  EXPECT_FALSE(cache.get(1));
  EXPECT_TRUE(cache.get(0));
  cache.put(2);
  cache.put(4);
  EXPECT_FALSE(cache.get(3));
}

TEST(sieve_cache_test, evicts_the_oldest_that_was_not_used_and_goes_on_there) {
  sieve_cache cache(10, 3);
  for (const cache_key key : {0u, 1u, 2u}) cache.put(key);
  EXPECT_TRUE(cache.get(0));
  cache.put(3);  // passes 0, takes 1
  EXPECT_TRUE(cache.get(0));
  cache.put(4);  // goes on at 2, though 0 is older
  EXPECT_TRUE(cache.get(0));
  EXPECT_FALSE(cache.get(1));
  EXPECT_FALSE(cache.get(2));
  EXPECT_TRUE(cache.get(3));
}

// A scan of many keys that are asked for once evicts all of LRU's items.
TEST(cache_models_test, scans_leave_frequent_items_except_in_lru) {
  const auto left = [](auto cache) {
    for (int i = 0; i < 5; ++i) {
      for (cache_key key = 0; key < items / 2; ++key) {
        if (!cache.get(key)) cache.put(key);
      }
    }
    for (cache_key key = items; key < 4 * items; ++key) cache.put(key);
    std::size_t count = 0;
    for (cache_key key = 0; key < items / 2; ++key) count += cache.get(key) ? 1u : 0u;
    return count;
  };
  EXPECT_EQ(left(lru_cache(keys, items)), 0u);
  EXPECT_GT(left(s3_fifo_cache(keys, items)), items / 4);
  EXPECT_GT(left(log_cache(keys, items)), items / 4);
}

TEST(log_cache_test, an_item_that_comes_back_soon_gets_into_the_main_queue) {
  log_cache cache(keys, items);
  for (cache_key key = 0; key < items; ++key) cache.put(key);
  cache.put(items);  // evicts the first segment
  ASSERT_FALSE(cache.get(0));
  cache.put(0);
  for (cache_key key = items + 1; key < 3 * items; ++key) cache.put(key);
  EXPECT_TRUE(cache.get(0));
  EXPECT_FALSE(cache.get(items + 1));
}

TEST(request_stream_test, scans_are_of_keys_of_their_own) {
  const request_stream stream = zipf_stream_with_scans(1000, 9000, 100);
  EXPECT_EQ(stream.requests.size(), 9000u);
  std::vector<int> asked(stream.keys);
  for (const cache_key key : stream.requests) ++asked.at(key);
  for (cache_key key = 1000; key < 3000; ++key) EXPECT_EQ(asked[key], 1) << key;
}

TEST(request_stream_test, reads_keys_and_ranges_of_blocks) {
  const std::string path = testing::TempDir() + "some.trace";
  std::ofstream(path) << "7 3 0 0\nuser:1\n8 1 0 1\n\nuser:1\r\n12\n";
  const request_stream stream = stream_of_file(path);
  std::filesystem::remove(path);
  EXPECT_EQ(stream.name, "some.trace");
  EXPECT_EQ(stream.keys, 5u);
  EXPECT_EQ(stream.requests, (std::vector<cache_key>{0, 1, 2, 3, 1, 3, 4}));
  EXPECT_THROW((void)stream_of_file(testing::TempDir() + "no.trace"), bad_argument);
}

}  // namespace
}  // namespace far::bench
