#pragma once

#include <cstdint>

#include "far/base/language.hpp"

namespace far::base {

/// Mixes 64 bits so that each output bit depends on every input bit. Bijective.
/// Source: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// SplitMix64. The same seed gives the same numbers under every compiler and library; the
/// distributions of the standard library do not guarantee that. Not for cryptography.
class random {
 public:
  using result_type = std::uint64_t;

  explicit constexpr random(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t operator()() noexcept { return mix(state_ += 0x9e3779b97f4a7c15u); }

  /// Uniform in [0, bound); bound > 0. Source: the high half of a 128-bit product (Lemire 2019,
  /// without the rejection step: the bias is below bound / 2^64).
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<wide>((*this)()) * bound) >> 64);
  }

  static constexpr std::uint64_t min() noexcept { return 0; }
  static constexpr std::uint64_t max() noexcept { return ~std::uint64_t{0}; }

 private:
  std::uint64_t state_;
};

}  // namespace far::base
