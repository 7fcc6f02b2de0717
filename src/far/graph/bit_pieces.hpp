#pragma once
// Bits of chosen places, packed without gaps, and put together again.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace far::graphs {

/// Places in a bitmap, as the words that have some and masks of these.
class chosen_bits {
 public:
  struct word {
    std::uint32_t index;
    std::uint64_t mask;
  };

  /// Adds a place that is larger than all before.
  void add(std::uint32_t place);

  [[nodiscard]] std::span<const word> words() const noexcept { return words_; }
  /// The number of places, and of the words that pack() fills.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t packed_words() const noexcept { return (size_ + 63) / 64; }

  /// Bit i of `to` becomes the bit of the i-th place in `from`.
  /// Cost: an instruction per word with places, where the processor has it (BMI2).
  void pack(const std::uint64_t* from, std::uint64_t* to) const;

 private:
  std::vector<word> words_;
  std::uint64_t size_ = 0;
};

/// Copies `count` bits from the beginning of `from` to bit `first` of `to` and after. Those bits of
/// `to` must be 0.
void place_bits(const std::uint64_t* from, std::uint64_t count, std::uint64_t* to,
                std::uint64_t first);

}  // namespace far::graphs
