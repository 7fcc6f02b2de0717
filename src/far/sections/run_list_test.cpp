#include "far/sections/run_list.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/rpc/serialize.hpp"

namespace far::sections {
namespace {

run_list list_of(const std::vector<list_run>& runs) {
  run_list result;
  for (const list_run& r : runs) result.add(r);
  return result;
}

void expect_same(const std::vector<list_run>& found, const std::vector<list_run>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].there, expected[i].there) << i;
    EXPECT_EQ(found[i].bytes, expected[i].bytes) << i;
  }
}

TEST(sections_run_list_test, runs_anywhere_survive_a_message) {
  base::random random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<list_run> runs;
    for (std::uint64_t i = random.below(20); i > 0; --i) {
      // Of any magnitude, so in any order, and of several ranks and segments.
      runs.push_back(
          {fabric::address::from_bits(random() >> random.below(64)), random() >> random.below(64)});
    }
    const run_list sent = list_of(runs);
    EXPECT_EQ(sent.empty(), runs.empty());
    EXPECT_LE(sent.bytes(), runs.size() * run_list::max_bytes);
    EXPECT_GE(sent.bytes(), runs.size() * run_list::min_bytes);
    expect_same(wire::from_bytes<run_list>(wire::to_bytes(sent)).all(), runs);
  }
}

TEST(sections_run_list_test, neighbors_take_few_bytes) {
  run_list rows;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    rows.add({fabric::address(3, 1, 4096 + i * 128), 64});
  }
  EXPECT_LE(rows.bytes(), 3 * 1000 + run_list::max_bytes);
}

TEST(sections_run_list_test, damaged_descriptions_are_refused) {
  const run_list sent = list_of({{fabric::address(3, 1, 4096), 64}});
  const std::vector<std::byte> message = wire::to_bytes(sent);
  // The message is a length and the description; a shorter description lacks its end.
  for (std::size_t kept = 1; kept + 1 < message.size(); ++kept) {
    const std::vector<std::byte> part(message.begin() + 1,
                                      message.begin() + 1 + static_cast<std::ptrdiff_t>(kept));
    EXPECT_THROW((void)wire::from_bytes<run_list>(wire::to_bytes(part)).all(), fabric_error);
  }
  const std::vector<std::byte> endless(11, std::byte{0xff});
  EXPECT_THROW((void)wire::from_bytes<run_list>(wire::to_bytes(endless)).all(), fabric_error);
}

}  // namespace
}  // namespace far::sections
