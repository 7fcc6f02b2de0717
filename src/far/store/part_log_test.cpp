// The log by itself: it fills the memory with items of every size, and keeps what must stay.

#include "far/store/part_log.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/store/test_part.hpp"

namespace far::stores {
namespace {

using testing::test_part;

std::string log_key(std::uint64_t i) { return "log" + std::to_string(i); }
std::string log_value(std::uint64_t seed, std::size_t bytes) {
  std::string value(bytes, '\0');
  base::random random(seed);
  for (char& c : value) c = static_cast<char>(random.below(256));
  return value;
}

TEST(part_log, is_full_of_items_of_any_size) {
  for (const std::size_t bytes : {100u, 1000u, 3000u, 7000u, 9000u, 11'000u, 15'000u, 20'000u,
                                  33'000u, 40'000u, 70'000u, 100'000u, 300'000u, 1'000'000u}) {
    for (const bool varies : {false, true}) {
      const test_part part(24 << 20, max_item_bytes);
      base::random random(bytes);
      const std::string value(bytes, 'v');
      const std::uint64_t puts = (2u * 24 << 20) / bytes;
      for (std::uint64_t i = 0; i < puts; ++i) {
        const std::size_t size = varies ? 1 + random.below(bytes) : bytes;
        ASSERT_EQ(part.put(log_key(i), {value.data(), size}).status, store_status::done);
      }
      part.check();
      const double share =
          static_cast<double>(part.memory().state().item_bytes) /
          static_cast<double>((part.memory().state().log_end - part.memory().state().log_begin) *
                              part.memory().shape().segment_bytes);
      EXPECT_GT(share, .87) << bytes << (varies ? " at most" : "");
    }
  }
}

// Sizes from all lanes, so that extents of all lengths are made, emptied, and made of others.
void mix_sizes(const test_part& part, std::uint64_t seed, std::uint64_t steps, bool may_leave) {
  base::random random(seed);
  std::map<std::string, std::uint64_t> last;  // seed and size of the value
  std::map<std::string, std::uint64_t> shared;
  std::uint64_t shared_bytes = 0;
  const auto value_of = [](std::uint64_t what) { return log_value(what, what >> 32); };
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::string key = log_key(random.below(3000));
    // The same sizes for a while, then others.
    const std::uint64_t scale = std::uint64_t{16} << (step / 500 * 7 + random.below(3)) % 14;
    const std::uint64_t what = step | random.below(scale) << 32;
    const bool is_shared = shared.contains(key);
    switch (random.below(is_shared ? 2 : 8)) {
      case 0: {
        const store_reply got = part.get(key);
        if (got.status == store_status::done) {
          ASSERT_EQ(got.value, value_of(last.at(key)));
        } else if (!may_leave || is_shared) {
          ASSERT_FALSE(last.contains(key)) << key;
        }
        break;
      }
      case 1:
        if (is_shared || shared_bytes > part.memory().shape().bytes() / 16) break;
        if (const auto copy = part.share(key)) {
          shared[key] = copy->value.size();
          shared_bytes += copy->value.size() + 64;
        }
        break;
      case 2:
        (void)part.erase(key);
        last.erase(key);
        break;
      default:
        if (part.put(key, value_of(what)).status == store_status::done) {
          last[key] = what;
        } else {
          ASSERT_FALSE(may_leave);
          last.erase(key);
        }
    }
    if (step % 1000 == 0) part.check();
  }
  part.check();
  EXPECT_GT(shared.size(), 10u);
  for (const auto& [key, bytes] : shared) EXPECT_EQ(part.get(key).value, value_of(last.at(key)));
}

TEST(part_log, moves_what_stays) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    mix_sizes(test_part(4 << 20, 1 << 18), seed, 20'000, true);
    mix_sizes(test_part(4 << 20, 1 << 18, false), seed, 20'000, false);
  }
}

}  // namespace
}  // namespace far::stores
