#include "apps/lu/kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FAR_FOR_EACH_PROCESSOR __attribute__((target_clones("default", "arch=haswell")))
#else
#define FAR_FOR_EACH_PROCESSOR
#endif

namespace far::apps::lu {
namespace {

// What stays in registers while the inner dimension is traversed.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_columns = 8;

/// One tile of C -= A B.
inline __attribute__((always_inline)) void subtract_tile(double* __restrict c,
                                                         const double* __restrict a,
                                                         const double* __restrict b,
                                                         std::size_t inner, std::size_t columns) {
  double sum[tile_rows][tile_columns] = {};
  for (std::size_t k = 0; k < inner; ++k) {
    const double* const row = b + k * columns;
    for (std::size_t i = 0; i < tile_rows; ++i) {
      const double factor = a[i * inner + k];
      for (std::size_t j = 0; j < tile_columns; ++j) sum[i][j] += factor * row[j];
    }
  }
  for (std::size_t i = 0; i < tile_rows; ++i) {
    for (std::size_t j = 0; j < tile_columns; ++j) c[i * columns + j] -= sum[i][j];
  }
}

inline __attribute__((always_inline)) void subtract_row(double* __restrict row, double factor,
                                                        const double* __restrict other,
                                                        std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) row[j] -= factor * other[j];
}

}  // namespace

FAR_FOR_EACH_PROCESSOR
void factor(double* a, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    const double* const pivot = a + k * n;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* const row = a + i * n;
      row[k] /= pivot[k];
      subtract_row(row + k + 1, row[k], pivot + k + 1, n - k - 1);
    }
  }
}

FAR_FOR_EACH_PROCESSOR
void solve_lower(const double* factored, std::size_t n, double* b, std::size_t columns) {
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      subtract_row(b + i * columns, factored[i * n + k], b + k * columns, columns);
    }
  }
}

FAR_FOR_EACH_PROCESSOR
void solve_upper(const double* factored, std::size_t n, double* b, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    double* const row = b + i * n;
    for (std::size_t k = 0; k < n; ++k) {
      row[k] /= factored[k * n + k];
      subtract_row(row + k + 1, row[k], factored + k * n + k + 1, n - k - 1);
    }
  }
}

FAR_FOR_EACH_PROCESSOR
void subtract_product(double* c, const double* a, const double* b, std::size_t rows,
                      std::size_t inner, std::size_t columns) {
  const std::size_t full_rows = rows - rows % tile_rows;
  const std::size_t full_columns = columns - columns % tile_columns;
  for (std::size_t j = 0; j < full_columns; j += tile_columns) {
    for (std::size_t i = 0; i < full_rows; i += tile_rows) {
      subtract_tile(c + i * columns + j, a + i * inner, b + j, inner, columns);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t begin = i < full_rows ? full_columns : 0;
    for (std::size_t k = 0; k < inner; ++k) {
      subtract_row(c + i * columns + begin, a[i * inner + k], b + k * columns + begin,
                   columns - begin);
    }
  }
}

}  // namespace far::apps::lu
