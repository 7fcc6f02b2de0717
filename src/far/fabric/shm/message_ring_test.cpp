// Compares a ring, whose producer and consumer take turns, with a queue.

#include "far/fabric/shm/message_ring.hpp"

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace far::fabric::shm;
using far::fabric::landing;
using far::fabric::max_landings;
using far::fabric::payload;

constexpr std::uint64_t capacity = 512;
constexpr std::size_t longest = max_payload + max_landings * sizeof(landing);

struct memory {
  ring_header header{};
  std::vector<record_head> bytes{bytes_of_ring(capacity) / sizeof(record_head)};

  memory() {
    for (auto* word : {&header.tail, &header.head_seen, &header.head}) *word = 0;
  }
  std::byte* data() { return reinterpret_cast<std::byte*>(bytes.data()); }
};

struct record {
  record_header header{};
  std::vector<std::byte> bytes;
};

class message_ring_test : public testing::Test {
 protected:
  record make(std::size_t bytes) {
    record made;
    made.header.bytes = static_cast<std::uint32_t>(bytes);
    made.header.serial = static_cast<std::uint32_t>(random_());
    made.header.slot = static_cast<std::uint16_t>(random_());
    made.header.handler = static_cast<std::uint16_t>(random_());
    made.header.context = static_cast<std::uint16_t>(random_());
    made.header.source = static_cast<std::int32_t>(random_());
    made.header.reply_bytes = static_cast<std::uint32_t>(random_());
    made.bytes.resize(bytes);
    for (std::byte& b : made.bytes) b = static_cast<std::byte>(random_());
    return made;
  }

  /// Pushes the record in three parts, split at random.
  bool push(const record& r) {
    const payload all = r.bytes;
    std::size_t a = below(all.size() + 1);
    std::size_t b = below(all.size() + 1);
    if (a > b) std::swap(a, b);
    return producer_.push(r.header, all.first(a), all.subspan(a, b - a), all.subspan(b));
  }

  bool take(const record& expected) {
    EXPECT_TRUE(consumer_.ready());
    payload bytes;
    const record_header& header = consumer_.front(bytes, scratch_.data());
    EXPECT_EQ(header.serial, expected.header.serial);
    EXPECT_EQ(header.slot, expected.header.slot);
    EXPECT_EQ(header.handler, expected.header.handler);
    EXPECT_EQ(header.context, expected.header.context);
    EXPECT_EQ(header.landings, expected.header.landings);
    EXPECT_EQ(header.source, expected.header.source);
    EXPECT_EQ(header.reply_bytes, expected.header.reply_bytes);
    EXPECT_TRUE(std::ranges::equal(bytes, expected.bytes));
    return consumer_.pop();
  }

  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::mt19937_64 random_{7};

 private:
  memory memory_;

 protected:
  message_ring producer_{memory_.header, memory_.data(), capacity};
  ring_consumer consumer_{memory_.header, memory_.data(), capacity};
  std::vector<std::byte> scratch_ = std::vector<std::byte>(longest);
};

TEST_F(message_ring_test, records_of_all_lengths_arrive_whole_and_in_order) {
  std::deque<record> inside;
  std::uint64_t cells = 0;
  while (cells < 200 * capacity) {
    for (auto n = below(20); n > 0; --n) {
      record next = make(below(4) == 0 ? below(longest + 1) : below(3 * short_bytes));
      if (!push(next)) break;
      cells += cells_for(next.bytes.size());
      inside.push_back(std::move(next));
    }
    for (auto n = below(20); n > 0 && !inside.empty(); --n) {
      take(inside.front());
      inside.pop_front();
    }
    if (inside.empty()) {
      EXPECT_FALSE(consumer_.ready());
    }
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(message_ring_test, holds_as_many_short_records_as_cells_wherever_it_begins) {
  for (int start = 0; start < 300; ++start) {
    std::deque<record> inside;
    for (;;) {
      inside.push_back(make(below(short_bytes + 1)));
      if (!push(inside.back())) break;
    }
    inside.pop_back();
    // The consumer publishes `head` once per quarter of the ring.
    EXPECT_GT(inside.size(), capacity - capacity / 4);
    EXPECT_LE(inside.size(), capacity);
    int told = 0;
    for (const record& r : inside) told += take(r) ? 1 : 0;
    EXPECT_EQ(told, 1);  // pops that report new space to a waiting producer
    EXPECT_FALSE(consumer_.ready());
    const record one = make(0);
    EXPECT_TRUE(push(one));
    take(one);
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
