#include "far/fabric/copy.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace far::fabric {
namespace {

std::vector<std::byte> pattern(std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::byte>(i * 7 + 1);
  return result;
}

TEST(copy_test, moves_every_size_between_all_alignments) {
  constexpr std::size_t margin = 16;
  const auto from = pattern(300);
  for (std::size_t bytes = 0; bytes <= 200; ++bytes) {
    for (std::size_t source = 0; source < 8; ++source) {
      const std::size_t target = margin + (bytes + source * 3) % 8;
      std::vector<std::byte> to(300, std::byte{0xee});
      copy_bytes(to.data() + target, from.data() + source, bytes);
      ASSERT_EQ(std::memcmp(to.data() + target, from.data() + source, bytes), 0)
          << bytes << " bytes from offset " << source;
      EXPECT_EQ(to[target - 1], std::byte{0xee});
      EXPECT_EQ(to[target + bytes], std::byte{0xee});
    }
  }
}

TEST(copy_test, by_words_equals_memcpy) {
  const auto from = pattern(300);
  for (std::size_t bytes = 0; bytes <= 100; ++bytes) {
    for (std::size_t source = 0; source < 8; ++source) {
      for (const std::size_t target : {source, source ^ 1, std::size_t{8}}) {
        std::vector<std::byte> to(300, std::byte{0xee});
        detail::copy_by_words(to.data() + target, from.data() + source, bytes);
        ASSERT_EQ(std::memcmp(to.data() + target, from.data() + source, bytes), 0);
        EXPECT_EQ(to[target + bytes], std::byte{0xee});
      }
    }
  }
}

TEST(copy_test, copies_nothing_from_nowhere) { copy_bytes(nullptr, nullptr, 0); }

// One thread writes words whose halves are equal; another must never read different halves.
template <class Word>
void never_torn() {
  alignas(8) std::array<std::byte, 8> shared{};
  std::atomic<bool> stop{false};
  constexpr int halves = sizeof(Word) * 4;
  constexpr auto low_half = static_cast<Word>((Word{1} << halves) - 1);
  std::thread writer([&] {
    for (Word half = 0; !stop.load(); half = static_cast<Word>((half + 1) & low_half)) {
      const auto word = static_cast<Word>(half | (half << halves));
      copy_bytes(shared.data(), &word, sizeof(Word));
    }
  });
  for (int i = 0; i < 200'000; ++i) {
    Word seen = 0;
    copy_bytes(&seen, shared.data(), sizeof(Word));
    const auto high = static_cast<Word>(seen >> halves);
    const auto low = static_cast<Word>(seen & low_half);
    if (high != low) {
      ADD_FAILURE() << "torn word of " << sizeof(Word) << " bytes: " << +seen;
      break;
    }
  }
  stop = true;
  writer.join();
}

TEST(copy_test, aligned_words_move_whole) {
  never_torn<std::uint8_t>();
  never_torn<std::uint16_t>();
  never_torn<std::uint32_t>();
  never_torn<std::uint64_t>();
}

// The contract allows long transfers to race; ThreadSanitizer must not report them.
TEST(copy_test, racing_transfers_are_no_data_race) {
  std::vector<std::byte> shared(1000);
  const auto ones = pattern(1000);
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) copy_bytes(shared.data() + 1, ones.data(), 999);
  });
  std::vector<std::byte> seen(1000);
  for (int i = 0; i < 100; ++i) copy_bytes(seen.data(), shared.data(), 1000);
  other.join();
  copy_bytes(seen.data(), shared.data(), 1000);
  EXPECT_EQ(std::memcmp(seen.data() + 1, ones.data(), 999), 0);
}

}  // namespace
}  // namespace far::fabric
