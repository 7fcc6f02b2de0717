#include "far/sections/copy_rows.hpp"

#include "far/fabric/copy.hpp"

namespace far::sections {
namespace {

/// Rows of one word. If both sides are aligned throughout, the loop does not test that for each.
template <std::size_t Bytes>
void copy_words(std::byte* to, std::uint64_t to_stride, const std::byte* from,
                std::uint64_t from_stride, std::uint64_t rows) noexcept {
  using cell = typename fabric::detail::overlay<Bytes>::type;
  const bool is_aligned = fabric::detail::is_aligned<Bytes>(to) &&
                          fabric::detail::is_aligned<Bytes>(from) &&
                          (to_stride | from_stride) % Bytes == 0;
  if (!is_aligned) {
    for (; rows > 0; --rows, to += to_stride, from += from_stride) {
      fabric::detail::copy_word<Bytes>(to, from);
    }
    return;
  }
  for (; rows > 0; --rows, to += to_stride, from += from_stride) {
    const cell word = __atomic_load_n(reinterpret_cast<const cell*>(from), __ATOMIC_RELAXED);
    __atomic_store_n(reinterpret_cast<cell*>(to), word, __ATOMIC_RELAXED);
  }
}

/// Rows of a fixed size, whose memcpy is inlined.
template <std::size_t Bytes>
void copy_fixed(std::byte* to, std::uint64_t to_stride, const std::byte* from,
                std::uint64_t from_stride, std::uint64_t rows) noexcept {
  for (; rows > 0; --rows, to += to_stride, from += from_stride) {
    fabric::copy_bytes(to, from, Bytes);
  }
}

}  // namespace

void copy_rows(std::byte* to, std::uint64_t to_stride, const std::byte* from,
               std::uint64_t from_stride, std::uint64_t rows, std::uint64_t row_bytes) noexcept {
  switch (row_bytes) {
    case 1:
      return copy_words<1>(to, to_stride, from, from_stride, rows);
    case 2:
      return copy_words<2>(to, to_stride, from, from_stride, rows);
    case 4:
      return copy_words<4>(to, to_stride, from, from_stride, rows);
    case 8:
      return copy_words<8>(to, to_stride, from, from_stride, rows);
    case 16:
      return copy_fixed<16>(to, to_stride, from, from_stride, rows);
    case 32:
      return copy_fixed<32>(to, to_stride, from, from_stride, rows);
    case 64:
      return copy_fixed<64>(to, to_stride, from, from_stride, rows);
    default:
      break;
  }
  for (; rows > 0; --rows, to += to_stride, from += from_stride) {
    fabric::copy_bytes(to, from, static_cast<std::size_t>(row_bytes));
  }
}

}  // namespace far::sections
