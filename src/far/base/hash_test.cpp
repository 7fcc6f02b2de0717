#include "far/base/hash.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

template <class T>
std::uint64_t hash_of(const T& value) {
  return far::hash<T>{}(value);
}

// The hash values are part of the contract: ranks that were built by different compilers must
// agree, and files may store hashes.
TEST(Hash, ValuesStayWhatTheyAre) {
  EXPECT_EQ(hash_of(0), 0u);
  EXPECT_EQ(hash_of(1), 0xe220a8397b1dcdafu);  // the first output of SplitMix64 from seed 0
  EXPECT_EQ(hash_of(~std::uint64_t{0}), 0x336503c6b835bec0u);
  EXPECT_EQ(hash_of(2.5), 0x2edb1b3c1db39a20u);
  EXPECT_EQ(hash_of(std::string()), 0xb4515bdc905eba8eu);
  EXPECT_EQ(hash_of(std::string("libfar")), 0x38558087278be803u);
  EXPECT_EQ(hash_of(std::string_view("libfar")), 0x38558087278be803u);
  EXPECT_EQ(hash_of(std::string("a longer text, of more than sixteen bytes")), 0x86992ec32774c47au);
  EXPECT_EQ(hash_of(std::pair(1, std::string("one"))), 0xa4fe54f9263eb6e9u);
}

TEST(Hash, EqualValuesHaveEqualHashes) {
  EXPECT_EQ(hash_of(0.0), hash_of(-0.0));
  EXPECT_EQ(hash_of(2.5), hash_of(2.5));
  EXPECT_EQ(hash_of(7), hash_of(std::uint64_t{7}));
  EXPECT_EQ(hash_of(std::pair(1, std::string("a"))), hash_of(std::pair(1, std::string("a"))));
  EXPECT_EQ(hash_of(std::vector<bool>{true, false}), hash_of(std::vector<bool>{true, false}));
}

TEST(Hash, OrderAndLengthMatter) {
  std::set<std::uint64_t> seen;
  std::size_t values = 0;
  const auto add = [&](std::uint64_t h) {
    seen.insert(h);
    ++values;
  };
  add(hash_of(std::pair(1, 2)));
  add(hash_of(std::pair(2, 1)));
  add(hash_of(std::tuple(1, 2, 3)));
  add(hash_of(std::tuple(3, 2, 1)));
  add(hash_of(std::vector<double>{}));
  add(hash_of(std::vector<double>{0}));
  add(hash_of(std::vector<double>{0, 0}));
  add(hash_of(std::vector<std::string>{"ab", "c"}));
  add(hash_of(std::vector<std::string>{"a", "bc"}));
  add(hash_of(std::array<std::uint8_t, 3>{1, 2, 3}));
  for (std::size_t length = 0; length < 200; ++length) add(hash_of(std::string(length, '\0')));
  for (std::size_t length = 1; length < 200; ++length) add(hash_of(std::string(length, 'x')));
  EXPECT_EQ(seen.size(), values);
}

// Flipping one bit of the input must flip each output bit with a probability of about one half.
TEST(Hash, EachInputBitMovesEachOutputBit) {
  far::base::random random(1);
  for (const std::size_t length : {1u, 3u, 4u, 7u, 8u, 12u, 16u, 17u, 31u, 64u}) {
    std::array<int, 64> flips{};
    int tries = 0;
    for (int round = 0; round < 2000; ++round) {
      std::string text(length, '\0');
      for (char& c : text) c = static_cast<char>(random());
      const std::uint64_t before = hash_of(text);
      const std::uint64_t bit = random.below(length * 8);
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
      const std::uint64_t difference = before ^ hash_of(text);
      for (unsigned i = 0; i < 64; ++i) flips[i] += static_cast<int>(difference >> i & 1);
      ++tries;
    }
    for (const int count : flips) {
      EXPECT_NEAR(count, tries / 2, tries / 10) << "length " << length;
    }
  }
}

// Consecutive keys are spread evenly over buckets (low bits) and over owners (high bits).
TEST(Hash, ConsecutiveKeysSpread) {
  std::vector<int> low(256);
  std::vector<int> high(256);
  for (std::uint64_t key = 0; key < 256 * 256; ++key) {
    const std::uint64_t h = hash_of(key);
    ++low[h & 255];
    ++high[h >> 56];
  }
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_NEAR(low[i], 256, 96);  // six standard deviations
    EXPECT_NEAR(high[i], 256, 96);
  }
}

}  // namespace
