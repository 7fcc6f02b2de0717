#include "far/array/cached/access.hpp"

#include <algorithm>

namespace far::cached {

bool thread_record::is_pinned(std::uint64_t chunk, right kept) const noexcept {
  for (std::size_t k = 0; k < quick_pins; ++k) {
    const pin_word held = pin(k);
    if (held.names(chunk) && (held.writes() || kept != right::read)) return true;
  }
  return false;
}

std::uint64_t thread_record::some_pinned() const noexcept {
  if (!pinned.empty()) return pinned.back();
  for (std::size_t k = 0; k < quick_pins; ++k) {
    if (pin(k).bits() != 0) return (pin(k).bits() >> 1) - 1;
  }
  return ~std::uint64_t{0};
}

bool thread_record::has_pins() const noexcept { return some_pinned() != ~std::uint64_t{0}; }

bool thread_record::pins_chunk(std::uint64_t chunk) const noexcept {
  return is_pinned(chunk, right::none) || std::ranges::find(pinned, chunk) != pinned.end();
}

}  // namespace far::cached
