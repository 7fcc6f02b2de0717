// Bits packed and placed as one bit after the other would be.

#include "far/graph/bit_pieces.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"

namespace far::graphs {
namespace {

bool bit_of(const std::vector<std::uint64_t>& words, std::uint64_t place) {
  return (words[place / 64] >> place % 64 & 1) != 0;
}

TEST(bit_pieces_test, packs_and_places_as_single_bits) {
  base::random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t places = 1 + random() % 400;
    const std::uint64_t one_in = 1 + random() % 9;
    std::vector<std::uint64_t> from((places + 63) / 64);
    for (std::uint64_t& word : from) word = random();
    chosen_bits chosen;
    std::vector<bool> expected;
    for (std::uint64_t p = 0; p < places; ++p) {
      if (random() % one_in != 0) continue;
      chosen.add(static_cast<std::uint32_t>(p));
      expected.push_back(bit_of(from, p));
    }
    ASSERT_EQ(chosen.size(), expected.size());
    std::vector<std::uint64_t> packed(chosen.packed_words(), ~std::uint64_t{0});
    chosen.pack(from.data(), packed.data());
    const std::uint64_t first = random() % 200;
    std::vector<std::uint64_t> to((first + expected.size() + 63) / 64 + 1, 0);
    place_bits(packed.data(), expected.size(), to.data(), first);
    for (std::uint64_t p = 0; p < to.size() * 64; ++p) {
      const bool is_inside = p >= first && p - first < expected.size();
      ASSERT_EQ(bit_of(to, p), is_inside && expected[p - first]) << p;
    }
  }
}

}  // namespace
}  // namespace far::graphs
