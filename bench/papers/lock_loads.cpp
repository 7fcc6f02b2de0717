#include "bench/papers/lock_loads.hpp"

#include <algorithm>

namespace far::bench {

lock_times lock_log::times() const {
  std::vector<operation> done = done_;
  std::ranges::sort(done, {}, &operation::end_ns);
  const std::size_t warm_up = done.size() / 10;
  lock_times result;
  if (done.size() < 2) return result;
  const std::size_t first = std::max<std::size_t>(warm_up, 1);
  const auto counted = static_cast<double>(done.size() - first);
  result.between = static_cast<double>(done.back().end_ns - done[first - 1].end_ns) / counted;
  double sums[2] = {};
  double counts[2] = {};
  for (std::size_t i = first; i < done.size(); ++i) {
    sums[done[i].writes ? 1 : 0] += static_cast<double>(done[i].ns);
    counts[done[i].writes ? 1 : 0] += 1;
  }
  result.mean = (sums[0] + sums[1]) / counted;
  if (counts[0] > 0) result.readers = sums[0] / counts[0];
  if (counts[1] > 0) result.writers = sums[1] / counts[1];
  return result;
}

lock_times mean_of(const std::vector<lock_times>& runs) {
  const auto mean = [&](double lock_times::*member) {
    double sum = 0;
    int count = 0;
    for (const lock_times& run : runs) {
      if (run.*member <= 0) continue;
      sum += run.*member;
      ++count;
    }
    return count > 0 ? sum / count : 0;
  };
  return {mean(&lock_times::between), mean(&lock_times::mean), mean(&lock_times::readers),
          mean(&lock_times::writers)};
}

}  // namespace far::bench
