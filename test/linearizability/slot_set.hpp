#pragma once
// The calls that a search has put in order so far.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace far::linearizability {

/// A set of small numbers that is nearly a range 0 .. k. Calls are numbered in the order of their
/// invocations, and a call that is far ahead cannot go before one that is far behind. So the key of
/// a set contains only the words that are neither full nor empty. Numbers from `completed` on,
/// those of pending calls, have words of their own.
class slot_set {
 public:
  slot_set(std::size_t completed, std::size_t pending)
      : completed_(completed), words_(words_for(completed)), pending_(words_for(pending)) {}

  void insert(std::size_t slot) {
    if (slot >= completed_) {
      pending_[(slot - completed_) / 64] |= bit(slot - completed_);
      return;
    }
    words_[slot / 64] |= bit(slot);
    end_ = std::max(end_, slot / 64 + 1);
    while (begin_ < words_.size() && words_[begin_] == full) ++begin_;
  }

  void erase(std::size_t slot) {
    if (slot >= completed_) {
      pending_[(slot - completed_) / 64] &= ~bit(slot - completed_);
      return;
    }
    words_[slot / 64] &= ~bit(slot);
    begin_ = std::min(begin_, slot / 64);
    while (end_ > 0 && words_[end_ - 1] == 0) --end_;
  }

  /// Equal for equal sets of one search, and different for different sets.
  [[nodiscard]] std::vector<std::uint64_t> key() const {
    std::vector<std::uint64_t> key{begin_};
    key.reserve(1 + (end_ > begin_ ? end_ - begin_ : 0) + pending_.size());
    for (std::size_t i = begin_; i < end_; ++i) key.push_back(words_[i]);
    key.insert(key.end(), pending_.begin(), pending_.end());
    return key;
  }

 private:
  static constexpr std::uint64_t full = ~std::uint64_t{0};

  static std::size_t words_for(std::size_t count) { return (count + 63) / 64; }
  static std::uint64_t bit(std::size_t slot) { return std::uint64_t{1} << slot % 64; }

  std::size_t completed_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> pending_;
  std::size_t begin_ = 0;  // all words before are full
  std::size_t end_ = 0;    // the words from here on are empty; the one before is not
};

}  // namespace far::linearizability
