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

/// reached() of the same place on each of so many ranks, by rank. Null where it is on none.
[[nodiscard]] std::unique_ptr<std::byte*[]> reached_on_ranks(reach_table table, address place,
                                                             int ranks);

}  // namespace far::fabric
