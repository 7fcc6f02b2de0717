#include "far/fabric/copy.hpp"

#include <algorithm>

namespace far::fabric::detail {

void copy_by_words(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  const auto bytewise = [&](std::size_t n) {
    for (; n > 0; --n, --bytes) copy_word<1>(to++, from++);
  };
  const auto misaligned = [](const void* place) {
    return reinterpret_cast<std::uintptr_t>(place) % sizeof(std::uint64_t);
  };
  if (misaligned(to) != misaligned(from)) {
    // No word is aligned on both sides.
    bytewise(bytes);
    return;
  }
  bytewise(std::min(bytes, (sizeof(std::uint64_t) - misaligned(to)) % sizeof(std::uint64_t)));
  for (; bytes >= sizeof(std::uint64_t); bytes -= sizeof(std::uint64_t)) {
    copy_word<8>(to, from);
    to += sizeof(std::uint64_t);
    from += sizeof(std::uint64_t);
  }
  bytewise(bytes);
}

}  // namespace far::fabric::detail
