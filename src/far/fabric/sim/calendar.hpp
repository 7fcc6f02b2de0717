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

/// A priority queue of entries by time. Entries for the same time leave in the order in which they
/// were added.
///
/// A radix heap: time only moves forward, so entries need not be compared with each other. An entry
/// waits in a drawer, which is selected by the highest digit in which its time differs from the
/// present and by the value of that digit. When the present reaches a drawer that holds many
/// entries, these move to drawers of lower digits, in the order in which they were added, and
/// entries for the present move to `line_`. A drawer with few entries is sorted instead, and
/// entries that are added within its range later are sorted in. So the next entries are known some
/// time ahead.
class calendar {
 public:
  struct entry {
    picoseconds when;
    std::uint32_t what;
    std::uint32_t nap;
  };

  [[nodiscard]] bool empty() const noexcept {
    return line_.empty() && first_ == sorted_.size() && levels_ == 0;
  }

  /// Adds an entry. One that is earlier than the last entry taken is due at once.
  void add(entry next) {
    if (next.when <= present_) return line_.push(next);
    next.when <= sorted_until_ ? sort_in(next) : put_away(next);
  }

  /// Removes and returns the next entry. The calendar must not be empty.
  entry take() {
    // Sorted entries for the present were added before it became the present.
    const bool sorted = first_ < sorted_.size();
    if (sorted && sorted_[first_].when <= present_) return take_sorted();
    if (!line_.empty()) return line_.pop();
    if (!sorted && !sort_drawer()) return share_out_drawer();
    return take_sorted();
  }

  /// Sorts drawers until coming() knows `count` entries, as long as that is cheap.
  void look_ahead(std::size_t count) {
    while (sorted_.size() - first_ < count && levels_ != 0 && sort_drawer()) {
    }
  }

  /// The entry that will be taken after `others` more, unless an earlier one is added; null if it
  /// is not known yet.
  [[nodiscard]] const entry* coming(std::size_t others) const noexcept {
    return others < sorted_.size() - first_ ? &sorted_[first_ + others] : nullptr;
  }

 private:
  static constexpr int digit_bits = 4;
  static constexpr int digits = 1 << digit_bits;
  static constexpr int levels = 64 / digit_bits;
  static constexpr std::size_t few = 64;
  static constexpr std::size_t max_sorted = 512;  // including those already taken

  static constexpr auto is_earlier = [](const entry& a, const entry& b) noexcept {
    return a.when < b.when;
  };
  [[nodiscard]] std::vector<entry>& drawer(int level, int digit) noexcept {
    return drawers_[static_cast<std::size_t>(level * digits + digit)];
  }
  void put_away(entry next) {
    const int level = (63 - std::countl_zero(next.when ^ present_)) / digit_bits;
    const auto digit = static_cast<int>(next.when >> (level * digit_bits)) & (digits - 1);
    drawer(level, digit).push_back(next);
    filled_[static_cast<std::size_t>(level)] |= 1u << digit;
    levels_ |= 1u << level;
  }
  void sort_in(entry next);
  entry take_sorted();
  bool sort_drawer();
  entry share_out_drawer();
  void sort_fewer();
  void forget_taken() {
    sorted_.erase(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  picoseconds present_ = 0;
  queue<entry> line_;          // entries for the present
  std::vector<entry> sorted_;  // all others up to sorted_until_, from index first_ on
  std::size_t first_ = 0;
  picoseconds sorted_until_ = 0;
  std::uint32_t levels_ = 0;  // bit mask of levels with a drawer that is not empty
  std::array<std::uint32_t, levels> filled_{};  // bit mask of drawers that are not empty
  std::array<std::vector<entry>, std::size_t{levels} * digits> drawers_;
};

inline void calendar::sort_in(entry next) {
  if (sorted_.size() >= max_sorted) {
    sort_fewer();
    return add(next);
  }
  // Insert behind all entries that are not later. Branch-free, because the branches would be
  // unpredictable.
  std::size_t at = first_;
  for (std::size_t left = sorted_.size() - first_; left > 0;) {
    const std::size_t half = (left + 1) / 2;
    at += half * static_cast<std::size_t>(sorted_[at + half - 1].when <= next.when);
    left -= half;
  }
  sorted_.insert(sorted_.begin() + static_cast<std::ptrdiff_t>(at), next);
}

inline calendar::entry calendar::take_sorted() {
  const entry next = sorted_[first_];
  present_ = std::max(present_, next.when);
  if (++first_ == sorted_.size()) {
    sorted_.clear();
    first_ = 0;
  }
  return next;
}

/// Sorts the earliest drawer into sorted_, behind all entries there. Returns false if it holds too
/// many.
inline bool calendar::sort_drawer() {
  const int level = std::countr_zero(levels_);
  std::uint32_t& filled = filled_[static_cast<std::size_t>(level)];
  std::vector<entry>& next = drawer(level, std::countr_zero(filled));
  if (next.size() > few) return false;
  filled &= filled - 1;
  if (filled == 0) levels_ &= levels_ - 1;
  sorted_until_ = next.front().when | ((picoseconds{1} << (level * digit_bits)) - 1);
  std::stable_sort(next.begin(), next.end(), is_earlier);
  forget_taken();
  sorted_.insert(sorted_.end(), next.begin(), next.end());
  next.clear();
  return true;
}

/// Advances the present to the earliest entry, and takes it. That entry is in a drawer that holds
/// many; sorted_ and line_ are empty.
inline calendar::entry calendar::share_out_drawer() {
  const int level = std::countr_zero(levels_);
  std::uint32_t& filled = filled_[static_cast<std::size_t>(level)];
  std::vector<entry>& next = drawer(level, std::countr_zero(filled));
  filled &= filled - 1;
  if (filled == 0) levels_ &= levels_ - 1;
  present_ = std::min_element(next.begin(), next.end(), is_earlier)->when;
  for (const entry& e : next) add(e);  // to other drawers: the digit is the same in all of these
  next.clear();
  return line_.pop();
}

/// Moves later entries back into drawers, because each insertion into a long sorted_ moves many.
inline void calendar::sort_fewer() {
  const auto left = sorted_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto later = std::upper_bound(left, sorted_.end(), entry{present_, 0, 0}, is_earlier);
  sorted_until_ = present_;
  std::for_each(later, sorted_.end(), [this](const entry& e) { put_away(e); });
  sorted_.erase(later, sorted_.end());
  forget_taken();
}

}  // namespace far::fabric::sim
