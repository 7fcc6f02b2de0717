// A part by itself: its operations equal a map's, nothing leaks, what is evicted is what is not
// used.

#include "far/store/part_items.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/store/test_part.hpp"

namespace far::stores {
namespace {

using testing::test_part;

std::string numbered_key(std::uint64_t i) { return "key" + std::to_string(i); }
std::string filled_value(std::uint64_t i, std::size_t bytes) {
  std::string value(bytes, static_cast<char>('a' + i % 26));
  const std::string number = std::to_string(i);
  return value.replace(0, std::min(bytes, number.size()), number, 0,
                       std::min(bytes, number.size()));
}

TEST(part_items, keep_what_is_put_while_there_is_room) {
  const test_part part(8 << 20, 1 << 16);
  std::map<std::string, std::string> expected;
  base::random random(1);
  for (int step = 0; step < 60'000; ++step) {
    const std::string key = numbered_key(random.below(4000));
    if (random.below(4) == 0) {
      EXPECT_EQ(part.erase(key).status,
                expected.erase(key) != 0 ? store_status::done : store_status::absent);
    } else {
      const std::string value = filled_value(
          random.below(1000), random.below(100) == 0 ? random.below(20'000) : random.below(300));
      EXPECT_EQ(part.put(key, value).status, store_status::done);
      expected[key] = value;
    }
    if (step % 5000 == 0) part.check();
  }
  part.check();
  EXPECT_EQ(part.memory().state().counts.evicted, 0u);
  EXPECT_EQ(part.memory().state().items, expected.size());
  for (const auto& [key, value] : expected) EXPECT_EQ(part.get(key).value, value);
}

TEST(part_items, never_take_more_memory_than_there_is) {
  const test_part part(4 << 20, 1 << 18);
  base::random random(2);
  std::map<std::string, std::string> last;
  for (int step = 0; step < 100'000; ++step) {
    const std::uint64_t i = random.below(30'000);
    const std::size_t bytes = random.below(500) == 0 ? random.below(200'000) : random.below(1500);
    last[numbered_key(i)] = filled_value(i, bytes);
    ASSERT_EQ(part.put(numbered_key(i), last[numbered_key(i)]).status, store_status::done);
    if (step % 10'000 == 0) part.check();
  }
  part.check();
  std::uint64_t found = 0;
  for (const auto& [key, value] : last) {
    const store_reply got = part.get(key);
    if (got.status != store_status::done) continue;
    ++found;
    EXPECT_EQ(got.value, value);
  }
  EXPECT_EQ(found, part.memory().state().items);
  EXPECT_GT(found, 2000u);
}

TEST(part_items, stay_if_they_are_used) {
  const test_part part(4 << 20, 1 << 16);
  const std::string value(200, 'v');
  for (std::uint64_t i = 0; i < 1000; ++i) (void)part.put(numbered_key(i), value);
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    (void)part.put("once" + std::to_string(i), value);
    (void)part.get(numbered_key(i % 1000));
  }
  std::uint64_t kept = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) kept += part.get(numbered_key(i)).value == value;
  part.check();
  EXPECT_EQ(kept, 1000u);
  EXPECT_GT(part.memory().state().counts.evicted_unfetched, 150'000u);
}

TEST(part_items, are_refused_where_nothing_may_leave) {
  const test_part part(2 << 20, 1 << 16, false);
  std::uint64_t stored = 0;
  while (part.put(numbered_key(stored), std::string(100, 'v')).status == store_status::done) {
    ++stored;
  }
  part.check();
  EXPECT_GT(stored * 160, 18u << 16);
  EXPECT_EQ(part.put("another", std::string(100, 'v')).status, store_status::no_memory);
  for (std::uint64_t i = 0; i < stored; ++i) {
    EXPECT_EQ(part.get(numbered_key(i)).value, std::string(100, 'v'));
  }
  // What is erased makes room.
  for (std::uint64_t i = 0; i < stored; i += 2) {
    EXPECT_EQ(part.erase(numbered_key(i)).status, store_status::done);
  }
  for (std::uint64_t i = 0; i < stored / 4; ++i) {
    EXPECT_EQ(part.put("new" + std::to_string(i), std::string(150, 'n')).status,
              store_status::done);
  }
  part.check();
}

TEST(part_items, leave_when_they_have_expired) {
  const test_part part(2 << 20, 1 << 16);
  (void)part.put("short", "value", 10);
  EXPECT_EQ(part.get("short", 9).status, store_status::done);
  EXPECT_EQ(part.get("short", 10).status, store_status::absent);
  for (std::uint64_t i = 0; i < 1000; ++i) (void)part.put(numbered_key(i), "value", 10);
  const part_shape& shape = part.memory().shape();
  std::uint64_t swept = 0;
  for (std::uint64_t s = 0; s < shape.segments; ++s) swept += part.log(10).sweep();
  EXPECT_EQ(swept, 1000u);
  EXPECT_EQ(part.memory().state().items, 0u);
  EXPECT_EQ(part.memory().state().counts.expired, 1001u);
  part.check();
}

TEST(part_items, of_any_size_fit) {
  const test_part part(32 << 20, max_item_bytes);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{16'000}, std::size_t{17'000},
        std::size_t{500'000}, max_item_bytes - 24 - 3}) {
    EXPECT_EQ(part.put("big", std::string(bytes, 'x')).status, store_status::done) << bytes;
    EXPECT_EQ(part.get("big").value, std::string(bytes, 'x'));
  }
  EXPECT_EQ(part.put("big", std::string(max_item_bytes - 24 - 2, 'x')).status,
            store_status::too_large);
  EXPECT_EQ(part.get("big").status, store_status::absent);
  for (std::uint64_t i = 0; i < 200; ++i) {
    ASSERT_EQ(part.put(numbered_key(i), filled_value(i, 900'000)).status, store_status::done);
  }
  part.check();
  EXPECT_EQ(part.get(numbered_key(199)).value, filled_value(199, 900'000));
  EXPECT_GT(part.memory().state().items, 15u);
}

TEST(part_items, count) {
  const test_part part(2 << 20, 1 << 16);
  const auto change = [&](store_verb verb, std::uint64_t delta) {
    store_request asked;
    asked.verb = verb;
    asked.key = "n";
    asked.delta = delta;
    return part.execute(asked);
  };
  EXPECT_EQ(change(store_verb::increment, 1).status, store_status::absent);
  (void)part.put("n", "99");
  EXPECT_EQ(change(store_verb::increment, 1).value, "100");
  EXPECT_EQ(change(store_verb::decrement, 10).value, "90");
  EXPECT_EQ(part.get("n").value, "90 ");
  EXPECT_EQ(change(store_verb::decrement, 100).value, "0");
  (void)part.put("n", "18446744073709551615");
  EXPECT_EQ(change(store_verb::increment, 2).value, "1");
  (void)part.put("n", "18446744073709551616");
  EXPECT_EQ(change(store_verb::increment, 2).status, store_status::not_a_number);
  (void)part.put("n", "x");
  EXPECT_EQ(change(store_verb::increment, 2).status, store_status::not_a_number);
  (void)part.put("n", "");
  EXPECT_EQ(change(store_verb::increment, 2).status, store_status::not_a_number);
}

TEST(part_items, are_won_once) {
  const test_part part(2 << 20, 1 << 16);
  store_request get;
  get.key = "k";
  get.makes = true;
  get.may_win = true;
  get.made_expires = 100;
  EXPECT_TRUE(part.execute(get).won);
  const store_reply second = part.execute(get);
  EXPECT_FALSE(second.won);
  EXPECT_TRUE(second.is_won);
  const store_reply stored = part.put("k", "value", 100);
  get.renew_before = 101;
  EXPECT_TRUE(part.execute(get).won);
  EXPECT_FALSE(part.execute(get).won);
  store_request erase;
  erase.verb = store_verb::erase;
  erase.key = "k";
  erase.marks_stale = true;
  EXPECT_EQ(part.execute(erase).status, store_status::done);
  get.renew_before = 0;
  const store_reply stale = part.execute(get);
  EXPECT_TRUE(stale.is_stale && stale.won);
  EXPECT_GT(stale.cas, stored.cas);
  EXPECT_TRUE(part.execute(get).is_won);
}

TEST(part_shape, refuses_too_little_memory) {
  EXPECT_THROW((void)part_shape::of(1 << 20, max_item_bytes, true), bad_argument);
  EXPECT_THROW((void)part_shape::of(0, 100, true), bad_argument);
  for (const std::uint64_t bytes :
       {std::uint64_t{1} << 20, std::uint64_t{10'000'000}, std::uint64_t{1} << 30}) {
    const part_shape shape = part_shape::of(bytes, 1000, true);
    EXPECT_LE(shape.bytes(), bytes);
    EXPECT_GT(shape.bytes(), bytes * 9 / 10);
  }
}

}  // namespace
}  // namespace far::stores
