#pragma once
// The job's memory as the inline path wants it: where an address lies, by one look into a table.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "far/fabric/address.hpp"

namespace far::fabric {

class fabric;

/// A table of direct(): entry [rank, segment] is what added to the bits of an address of that
/// segment gives its place in this process. 0: plain instructions do not reach it (should a real
/// entry be 0, its memory is reached by the verbs, as well). There is an entry for every rank
/// that an address can name, in memory that costs nothing until touched: so a corrupt address
/// meets a 0, and then the verbs, which refuse it.
using reach_table = const std::uintptr_t*;

/// The tables of a rank. Made once windows and layout are final.
class reach {
 public:
  explicit reach(const fabric& fabric);

  /// For loads and stores.
  [[nodiscard]] reach_table words() const noexcept { return words_; }
  /// For atomic read-modify-writes: where the processors' are right.
  [[nodiscard]] reach_table atomics() const noexcept { return atomics_; }

 private:
  struct unmap {
    void operator()(std::uintptr_t* table) const noexcept;
  };

  std::unique_ptr<std::uintptr_t[], unmap> own_;  // null where nothing is reached
  reach_table words_;
  reach_table atomics_;
};

/// The place of `a`, or null. Neither its offset nor that it is not null is checked.
[[nodiscard]] inline std::byte* reached(reach_table table, address a) noexcept {
  const std::uintptr_t offset = table[a.bits() >> address::offset_bits];
  if (offset == 0) [[unlikely]]
    return nullptr;
  auto* const place = reinterpret_cast<std::byte*>(offset + a.bits());
  if (place == nullptr) __builtin_unreachable();  // spares the caller a second test
  return place;
}

/// reached() of the same place on each rank, all worked out but the rank.
class symmetric_reach {
 public:
  symmetric_reach() noexcept = default;
  symmetric_reach(reach_table table, address place) noexcept
      : entries_(table + (place.on(0).bits() >> address::offset_bits)), bits_(place.on(0).bits()) {}

  [[nodiscard]] std::byte* on(int rank) const noexcept {
    const auto number = static_cast<std::uint64_t>(rank);
    const std::uintptr_t offset = entries_[number << address::segment_bits];
    if (offset == 0) [[unlikely]]
      return nullptr;
    constexpr int below_rank = address::segment_bits + address::offset_bits;
    auto* const place = reinterpret_cast<std::byte*>(offset + bits_ + (number << below_rank));
    if (place == nullptr) __builtin_unreachable();  // as above
    return place;
  }

 private:
  reach_table entries_ = nullptr;
  std::uint64_t bits_ = 0;  // of the place on rank 0
};

}  // namespace far::fabric
