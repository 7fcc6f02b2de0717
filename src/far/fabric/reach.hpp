#pragma once
// The job's memory as the inline path wants it: where an address lies, by one look into a table.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/address.hpp"

namespace far::fabric {

class fabric;

/// A table of direct(): entry [rank, segment] is what added to the bits of an address of that
/// segment gives its place in this process. 0: plain instructions do not reach it (should a real
/// entry be 0, its memory is reached by the verbs, as well).
using reach_table = const std::uintptr_t*;

/// The two tables of a rank. Made once windows and layout are final.
class reach {
 public:
  explicit reach(const fabric& fabric);

  /// For loads and stores.
  [[nodiscard]] reach_table words() const noexcept { return words_.data(); }
  /// For atomic read-modify-writes: where the processors' are right.
  [[nodiscard]] reach_table atomics() const noexcept {
    return atomics_.empty() ? words_.data() : atomics_.data();
  }

 private:
  std::vector<std::uintptr_t> words_;
  std::vector<std::uintptr_t> atomics_;  // all zero; empty: the same as words_
};

/// The place of `a`, or null. Not checked: the rank must be one of the job.
[[nodiscard]] inline std::byte* reached(reach_table table, address a) noexcept {
  const std::uintptr_t offset = table[a.bits() >> address::offset_bits];
  if (offset == 0) [[unlikely]]
    return nullptr;
  auto* const place = reinterpret_cast<std::byte*>(offset + a.bits());
  if (place == nullptr) __builtin_unreachable();  // spares the caller a second test
  return place;
}

}  // namespace far::fabric
