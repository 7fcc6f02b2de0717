#include "far/graph/bit_pieces.hpp"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace far::graphs {
namespace {

/// The bits of `word` under `mask`, moved together.
std::uint64_t compressed(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t result = 0;
  for (int at = 0; mask != 0; ++at, mask &= mask - 1) {
    result |= (word >> std::countr_zero(mask) & 1) << at;
  }
  return result;
}

/// Appends what compress(word, mask) yields for each word.
template <class Compress>
[[gnu::always_inline]] inline void pack_words(std::span<const chosen_bits::word> words,
                                              const std::uint64_t* from, std::uint64_t* to,
                                              Compress compress) {
  std::uint64_t filling = 0;
  int bits = 0;
  for (const chosen_bits::word& w : words) {
    const std::uint64_t some = compress(from[w.index], w.mask);
    const int count = std::popcount(w.mask);
    filling |= some << bits;
    bits += count;
    if (bits < 64) continue;
    *to++ = filling;
    bits -= 64;
    filling = bits == 0 ? 0 : some >> (count - bits);
  }
  if (bits != 0) *to = filling;
}

#if defined(__x86_64__)
[[gnu::target("bmi2,popcnt")]] void pack_quickly(std::span<const chosen_bits::word> words,
                                                 const std::uint64_t* from, std::uint64_t* to) {
  pack_words(
      words, from, to, [](std::uint64_t word, std::uint64_t mask) __attribute__((target("bmi2"))) {
        return _pext_u64(word, mask);
      });
}
#endif

}  // namespace

void chosen_bits::add(std::uint32_t place) {
  const std::uint32_t index = place / 64;
  if (words_.empty() || words_.back().index != index) words_.push_back({index, 0});
  words_.back().mask |= std::uint64_t{1} << place % 64;
  ++size_;
}

void chosen_bits::pack(const std::uint64_t* from, std::uint64_t* to) const {
#if defined(__x86_64__)
  static const bool is_quick = __builtin_cpu_supports("bmi2") != 0;
  if (is_quick) return pack_quickly(words_, from, to);
#endif
  pack_words(words_, from, to, compressed);
}

void place_bits(const std::uint64_t* from, std::uint64_t count, std::uint64_t* to,
                std::uint64_t first) {
  if (count == 0) return;
  std::uint64_t* at = to + first / 64;
  const int shift = static_cast<int>(first % 64);
  const std::uint64_t words = (count + 63) / 64;
  for (std::uint64_t i = 0; i < words; ++i) {
    at[i] |= from[i] << shift;
    if (shift != 0 && i * 64 + static_cast<std::uint64_t>(64 - shift) < count) {
      at[i + 1] |= from[i] >> (64 - shift);
    }
  }
}

}  // namespace far::graphs
