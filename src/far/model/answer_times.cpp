#include "far/model/answer_times.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace far::model {

namespace {

constexpr std::size_t bins = 160;

/// The bin of a time. There are four per factor of two, from 1 ns on: the exponent of a float and
/// two bits of its fraction select the bin.
std::size_t bin_of(float ns) noexcept {
  constexpr std::uint32_t of_one = std::bit_cast<std::uint32_t>(1.0f) >> 21;
  const std::uint32_t bin = std::bit_cast<std::uint32_t>(std::max(ns, 1.0f)) >> 21;
  return std::min<std::size_t>(bin - of_one, bins - 1);
}

}  // namespace

void answer_times::observe(std::size_t rank, double ns) {
  constexpr std::uint32_t max_count = 4;
  if (rank >= times_.size()) times_.resize(rank + 1);
  time& seen = times_[rank];
  seen.count = std::min(seen.count + 1, max_count);
  seen.mean_ns += (static_cast<float>(ns) - seen.mean_ns) / static_cast<float>(seen.count);
}

batch_split answer_times::best_split(std::span<const std::uint32_t> keys,
                                     const many_one_sided& costs) const noexcept {
  constexpr double min_gain = 0.2;
  struct bin {
    float slowest_ns = 0;
    std::uint64_t keys = 0;
  };
  std::array<bin, bins> all{};
  for (std::size_t rank = 0; rank < keys.size(); ++rank) {
    if (keys[rank] == 0) continue;
    const float ns = rank < times_.size() ? times_[rank].mean_ns : 0;
    bin& of = all[bin_of(ns)];
    of.slowest_ns = std::max(of.slowest_ns, ns);
    of.keys += keys[rank];
  }
  batch_split best;
  double best_ns = 0;
  double slowest_ns = 0;
  std::uint64_t left_out = 0;
  for (std::size_t i = bins; i-- > 0;) {
    if (all[i].keys == 0) continue;
    const double wait_ns = static_cast<double>(all[i].slowest_ns);
    const double one_sided_ns =
        left_out == 0 ? 0 : costs.first_ns + costs.key_ns * static_cast<double>(left_out);
    const double ns = std::max(wait_ns, one_sided_ns);
    if (left_out == 0) {
      slowest_ns = wait_ns;
      best_ns = (1 - min_gain) * slowest_ns;
    } else if (ns < best_ns) {
      best_ns = ns;
      best = {wait_ns, ns / slowest_ns};
    }
    left_out += all[i].keys;
  }
  return best;
}

}  // namespace far::model
