#pragma once
// What `far bench transfers` moves, and the same by hand over mapped memory. peers/ga_peer.c does
// it with Global Arrays.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FAR_FOR_THIS_PROCESSOR __attribute__((target_clones("default", "avx2"), optimize("O3")))
#else
#define FAR_FOR_THIS_PROCESSOR
#endif

namespace far::bench {

inline constexpr std::uint64_t matrix_rows = 2048;
inline constexpr std::uint64_t usual_leading = 1024;  ///< doubles in a row: 8 KB
/// One cache line more. With rows of 8 KB, all elements of a column fall into few sets of a cache.
inline constexpr std::uint64_t wide_leading = 1032;
inline constexpr std::uint64_t max_elements = 256 * 1024;  ///< of a transfer
inline constexpr std::uint64_t listed_segments = 1000;

/// Where buffers begin, modulo 4096, relative to what they are copied to or from: on some
/// processors `rep movsb`, and so memcpy, is slow where both are close.
inline constexpr std::size_t page = 4096;
inline constexpr std::array<std::size_t, 8> offsets{0, 8, 64, 520, 1024, 2048, 3080, 4032};

/// `rows` rows of `columns` doubles.
struct patch_size {
  const char* name;
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t leading = usual_leading;

  [[nodiscard]] std::uint64_t elements() const noexcept { return rows * columns; }
  [[nodiscard]] bool is_contiguous() const noexcept { return rows == 1 || columns == leading; }
  [[nodiscard]] std::string peer_name(const std::string& verb) const {
    return fmt::format("{}_{}x{}{}", verb, rows, columns, leading == wide_leading ? "_wide" : "");
  }
};

inline void copy_by_hand(double* to, std::uint64_t to_stride, const double* from,
                         std::uint64_t from_stride, const patch_size& size) {
  if (size.columns == 1) {
    for (std::uint64_t r = 0; r < size.rows; ++r) to[r * to_stride] = from[r * from_stride];
  } else if (size.is_contiguous()) {
    __builtin_memcpy(to, from, size.elements() * sizeof(double));
  } else {
    for (std::uint64_t r = 0; r < size.rows; ++r) {
      __builtin_memcpy(to + r * to_stride, from + r * from_stride, size.columns * sizeof(double));
    }
  }
}

FAR_FOR_THIS_PROCESSOR inline void add_by_hand(double* __restrict y, double a,
                                               const double* __restrict x, const patch_size& size) {
  for (std::uint64_t r = 0; r < size.rows; ++r) {
    for (std::uint64_t c = 0; c < size.columns; ++c) {
      y[r * size.leading + c] += a * x[r * size.columns + c];
    }
  }
}

/// Segments of `length` doubles; `first` are the places of their first ones.
inline void put_list_by_hand(double* to, const double* from, std::span<const std::uint64_t> first,
                             std::uint64_t length) {
  for (const std::uint64_t place : first) {
    for (std::uint64_t i = 0; i < length; ++i) to[place + i] = *from++;
  }
}
inline void get_list_by_hand(const double* from, double* to, std::span<const std::uint64_t> first,
                             std::uint64_t length) {
  for (const std::uint64_t place : first) {
    for (std::uint64_t i = 0; i < length; ++i) *to++ = from[place + i];
  }
}

}  // namespace far::bench
