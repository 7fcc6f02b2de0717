#include "far/sections/accumulate_rows.hpp"

#include "far/fabric/copy.hpp"

// One version of each loop for processors with 32-byte vectors, selected when the library is
// loaded. Not under sanitizers, whose runtime is not ready then.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FAR_FOR_EACH_PROCESSOR __attribute__((target_clones("default", "avx2")))
#else
#define FAR_FOR_EACH_PROCESSOR
#endif

namespace far::sections {
namespace {

/// Rows of numbers of type S that lie at y and x; all may alias objects of any type.
struct rows_of_numbers {
  std::byte* y;
  std::uint64_t y_stride;
  const std::byte* x;
  std::uint64_t x_stride;
  std::uint64_t rows;
  std::uint64_t row_bytes;
};

/// Numbers, alone and in vectors, that may alias objects of any type. Integers wrap around, so they
/// are added as unsigned ones.
template <class S>
struct overlay;
template <>
struct overlay<std::uint32_t> {
  using number [[gnu::may_alias]] = std::uint32_t;
  using vector [[gnu::vector_size(32)]] = std::uint32_t;
};
template <>
struct overlay<std::uint64_t> {
  using number [[gnu::may_alias]] = std::uint64_t;
  using vector [[gnu::vector_size(32)]] = std::uint64_t;
};
template <>
struct overlay<float> {
  using number [[gnu::may_alias]] = float;
  using vector [[gnu::vector_size(32)]] = float;
};
template <>
struct overlay<double> {
  using number [[gnu::may_alias]] = double;
  using vector [[gnu::vector_size(32)]] = double;
};
template <class S>
using number = typename overlay<S>::number;

template <class S>
[[gnu::always_inline]] inline void add_one(number<S>* y, S term) noexcept {
  if constexpr (fabric::under_thread_sanitizer) {
    S sum;
    __atomic_load(y, &sum, __ATOMIC_RELAXED);
    sum += term;
    __atomic_store(y, &sum, __ATOMIC_RELAXED);
  } else {
    *y += term;
  }
}

/// One row of `n` numbers.
template <bool ByOne, class S>
[[gnu::always_inline]] inline void add_row(number<S>* y, const number<S>* x, S a,
                                           std::uint64_t n) noexcept {
  std::uint64_t i = 0;
  if constexpr (!fabric::under_thread_sanitizer) {
    using vector = typename overlay<S>::vector;
    constexpr std::uint64_t lanes = sizeof(vector) / sizeof(S);
    // By memcpy, because the numbers are aligned as one number is.
    for (; i + lanes <= n; i += lanes) {
      vector sum;
      vector term;
      std::memcpy(&sum, y + i, sizeof(vector));
      std::memcpy(&term, x + i, sizeof(vector));
      if constexpr (ByOne) {
        sum += term;
      } else {
        sum += a * term;
      }
      std::memcpy(y + i, &sum, sizeof(vector));
    }
  }
  for (; i < n; ++i) add_one<S>(y + i, ByOne ? S(x[i]) : S(a * x[i]));
}

template <bool ByOne, class S>
[[gnu::always_inline]] inline void add_rows(const rows_of_numbers& at, S a) noexcept {
  for (std::uint64_t row = 0; row < at.rows; ++row) {
    add_row<ByOne, S>(reinterpret_cast<number<S>*>(at.y + row * at.y_stride),
                      reinterpret_cast<const number<S>*>(at.x + row * at.x_stride), a,
                      at.row_bytes / sizeof(S));
  }
}

template <class S>
[[gnu::always_inline]] inline void add_scaled(const rows_of_numbers& at, S a) noexcept {
  a == S(1) ? add_rows<true, S>(at, a) : add_rows<false, S>(at, a);
}

/// Complex numbers as pairs. If `a` is real, the pairs are scaled as numbers are.
template <class S>
[[gnu::always_inline]] inline void add_scaled_pairs(const rows_of_numbers& at, S re,
                                                    S im) noexcept {
  if (im == S(0)) return add_scaled<S>(at, re);
  for (std::uint64_t row = 0; row < at.rows; ++row) {
    auto* const y = reinterpret_cast<number<S>*>(at.y + row * at.y_stride);
    const auto* const x = reinterpret_cast<const number<S>*>(at.x + row * at.x_stride);
    const std::uint64_t n = at.row_bytes / sizeof(S);
    for (std::uint64_t i = 0; i < n; i += 2) {
      add_one<S>(y + i, re * x[i] - im * x[i + 1]);
      add_one<S>(y + i + 1, re * x[i + 1] + im * x[i]);
    }
  }
}

FAR_FOR_EACH_PROCESSOR void add_i32(const rows_of_numbers& at, std::uint32_t a) noexcept {
  add_scaled(at, a);
}
FAR_FOR_EACH_PROCESSOR void add_i64(const rows_of_numbers& at, std::uint64_t a) noexcept {
  add_scaled(at, a);
}
FAR_FOR_EACH_PROCESSOR void add_f32(const rows_of_numbers& at, float a) noexcept {
  add_scaled(at, a);
}
FAR_FOR_EACH_PROCESSOR void add_f64(const rows_of_numbers& at, double a) noexcept {
  add_scaled(at, a);
}
FAR_FOR_EACH_PROCESSOR void add_c64(const rows_of_numbers& at, float re, float im) noexcept {
  add_scaled_pairs(at, re, im);
}
FAR_FOR_EACH_PROCESSOR void add_c128(const rows_of_numbers& at, double re, double im) noexcept {
  add_scaled_pairs(at, re, im);
}

template <class S>
[[nodiscard]] S number_at(const scaling& how, std::size_t index) noexcept {
  S value;
  std::memcpy(&value, how.factor.data() + index * sizeof(S), sizeof(S));
  return value;
}

}  // namespace

void accumulate_rows(const scaling& how, std::byte* y, std::uint64_t y_stride, const std::byte* x,
                     std::uint64_t x_stride, std::uint64_t rows, std::uint64_t row_bytes) noexcept {
  const rows_of_numbers at{y, y_stride, x, x_stride, rows, row_bytes};
  switch (how.type) {
    case element::i32:
      return add_i32(at, number_at<std::uint32_t>(how, 0));
    case element::i64:
      return add_i64(at, number_at<std::uint64_t>(how, 0));
    case element::f32:
      return add_f32(at, number_at<float>(how, 0));
    case element::f64:
      return add_f64(at, number_at<double>(how, 0));
    case element::c64:
      return add_c64(at, number_at<float>(how, 0), number_at<float>(how, 1));
    case element::c128:
      return add_c128(at, number_at<double>(how, 0), number_at<double>(how, 1));
  }
}

}  // namespace far::sections
