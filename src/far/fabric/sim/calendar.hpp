#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/sim/event.hpp"
#include "far/fabric/sim/queue.hpp"

namespace far::fabric::sim {

/// What is due when. The earliest is taken first, and of several for one time the one that was
/// added first.
///
/// A radix heap: as time only goes on, an entry need not be compared with others. It waits in a
/// drawer for the highest digit in which its time differs from the present, and that digit's
/// value. Once the present gets there, the drawer's entries move on to those of lower digits, in
/// the order in which they were added, and those of the present into a line. Most are moved twice
/// or three times, in memory that is read from front to back.
class calendar {
 public:
  struct entry {
    picoseconds when;
    std::uint32_t what;
    std::uint32_t nap;
  };

  [[nodiscard]] bool empty() const noexcept { return line_.empty() && levels_ == 0; }

  /// What should have been before the latest that was taken is due at once.
  void add(entry next) {
    if (next.when <= present_) return line_.push(next);
    const int level = (63 - std::countl_zero(next.when ^ present_)) / digit_bits;
    const auto digit = static_cast<int>(next.when >> (level * digit_bits)) & (digits - 1);
    drawer(level, digit).push_back(next);
    filled_[static_cast<std::size_t>(level)] |= 1u << digit;
    levels_ |= 1u << level;
  }

  /// Not if empty.
  entry take() {
    if (line_.empty()) go_on();
    return line_.pop();
  }

 private:
  static constexpr int digit_bits = 4;
  static constexpr int digits = 1 << digit_bits;
  static constexpr int levels = 64 / digit_bits;

  [[nodiscard]] std::vector<entry>& drawer(int level, int digit) noexcept {
    return drawers_[static_cast<std::size_t>(level * digits + digit)];
  }
  void go_on();

  picoseconds present_ = 0;
  queue<entry> line_;                           // those of the present
  std::uint32_t levels_ = 0;                    // bits: which have a drawer that is not empty
  std::array<std::uint32_t, levels> filled_{};  // bits: which drawers are not empty
  std::array<std::vector<entry>, std::size_t{levels} * digits> drawers_;
};

/// To the earliest entry of all.
inline void calendar::go_on() {
  const int level = std::countr_zero(levels_);
  std::uint32_t& filled = filled_[static_cast<std::size_t>(level)];
  std::vector<entry>& next = drawer(level, std::countr_zero(filled));
  filled &= filled - 1;
  if (filled == 0) levels_ &= levels_ - 1;
  present_ = next.front().when;
  for (const entry& e : next) present_ = std::min(present_, e.when);
  for (const entry& e : next) add(e);  // to other drawers: the digit is the same in all of these
  next.clear();
}

}  // namespace far::fabric::sim
