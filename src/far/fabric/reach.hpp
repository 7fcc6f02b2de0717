#pragma once
// Tables for the inline fast path: one look-up gives the location of an address in this process.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "far/fabric/address.hpp"

namespace far::fabric {

class fabric;

/// A table of direct(): entry [rank, segment], added to the bits of an address in that segment,
/// gives its location in this process. 0: plain instructions do not reach the segment (if a
/// real entry happens to be 0, the verbs reach its memory as well). There is an entry for every
/// rank that an address can name, in memory that costs nothing until touched. So a corrupt
/// address finds a 0, and the verbs reject it.
using reach_table = const std::uintptr_t*;

/// The tables of a rank. Construct it when the fabric's windows and layout are final.
class reach {
 public:
  explicit reach(const fabric& fabric);

  /// From now on plain instructions reach nothing; the tables stay valid.
  void clear() noexcept;

  /// For loads and stores.
  [[nodiscard]] reach_table words() const noexcept { return words_; }
  /// For atomic read-modify-writes: all 0 unless the fabric is coherent.
  [[nodiscard]] reach_table atomics() const noexcept { return atomics_; }

 private:
  struct unmap {
    void operator()(std::uintptr_t* table) const noexcept;
  };

  std::unique_ptr<std::uintptr_t[], unmap> own_;  // null if no rank is reached
  std::size_t used_;                              // entries of own_
  reach_table words_;
  reach_table atomics_;
};

/// The location of `a`, or null. Checks neither the offset of `a` nor that `a` is not null.
[[nodiscard]] inline std::byte* reached(reach_table table, address a) noexcept {
  const std::uintptr_t offset = table[a.bits() >> address::offset_bits];
  if (offset == 0) [[unlikely]]
    return nullptr;
  auto* const place = reinterpret_cast<std::byte*>(offset + a.bits());
  if (place == nullptr) __builtin_unreachable();  // spares the caller a second test
  return place;
}

/// reached() of `place` on each of `ranks` ranks, indexed by rank. Null if no rank is reached.
[[nodiscard]] std::unique_ptr<std::byte*[]> reached_on_ranks(reach_table table, address place,
                                                             int ranks);

}  // namespace far::fabric
