#include "apps/graph/rmat.hpp"

namespace far::apps {
namespace {

constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;  // of SplitMix64

// Probabilities as shares of 2^32; the quadrants are upper left, upper right, lower left, lower
// right.
constexpr auto upper_left = static_cast<std::uint32_t>(.57 * 4294967296.0);
constexpr auto upper = static_cast<std::uint32_t>((.57 + .19) * 4294967296.0);
constexpr auto not_lower_right = static_cast<std::uint32_t>((.57 + .19 + .19) * 4294967296.0);

}  // namespace

rmat_generator::rmat_generator(const rmat_settings& settings)
    : scale_(settings.scale), key_(base::mix(settings.seed + step)) {
  base::random random(settings.seed);
  for (int i = 0; i < rounds; ++i) {
    factor_[i] = random() | 1;
    offset_[i] = random();
  }
}

edge rmat_generator::operator()(std::uint64_t index) const {
  const std::uint64_t start = base::mix(key_ + index);
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t numbers = 0;  // random bits, 32 for each level
  for (int level = 0; level < scale_; ++level) {
    const auto pair = static_cast<std::uint64_t>(level / 2);
    numbers = level % 2 == 0 ? base::mix(start + pair * step) : numbers >> 32;
    const auto chance = static_cast<std::uint32_t>(numbers);
    const bool lower = chance >= upper;
    const bool right = (chance >= upper_left && !lower) || chance >= not_lower_right;
    from = from << 1 | static_cast<std::uint64_t>(lower);
    to = to << 1 | static_cast<std::uint64_t>(right);
  }
  return {mixed(from), mixed(to)};
}

// A bijection of `scale` bits: adding a number, multiplying by an odd one, and folding the high
// bits into the low ones are bijections.
std::int64_t rmat_generator::mixed(std::uint64_t vertex) const {
  const std::uint64_t mask = (std::uint64_t{1} << scale_) - 1;
  for (int i = 0; i < rounds; ++i) {
    vertex = (vertex + offset_[i]) * factor_[i] & mask;
    vertex ^= vertex >> (scale_ / 2 + 1);
  }
  return static_cast<std::int64_t>(vertex);
}

}  // namespace far::apps
