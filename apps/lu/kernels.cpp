#include "apps/lu/kernels.hpp"

#include "apps/common/target_clones.hpp"

// A version of each loop with wider vectors that multiply and add at once.
#define FAR_FOR_EACH_PROCESSOR FAR_APPS_ALSO_FOR("arch=haswell")

namespace far::apps::lu {
namespace {

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

// Four rows of B at a time, so that a row of C is loaded and stored once for eight operations.
FAR_FOR_EACH_PROCESSOR
void subtract_product(double* c, const double* a, const double* b, std::size_t rows,
                      std::size_t inner, std::size_t columns) {
  for (std::size_t i = 0; i < rows; ++i) {
    double* __restrict const row = c + i * columns;
    const double* const factors = a + i * inner;
    std::size_t k = 0;
    for (; k + 4 <= inner; k += 4) {
      const double* __restrict const first = b + k * columns;
      const double* __restrict const second = first + columns;
      const double* __restrict const third = second + columns;
      const double* __restrict const fourth = third + columns;
      for (std::size_t j = 0; j < columns; ++j) {
        row[j] -= factors[k] * first[j] + factors[k + 1] * second[j] + factors[k + 2] * third[j] +
                  factors[k + 3] * fourth[j];
      }
    }
    for (; k < inner; ++k) subtract_row(row, factors[k], b + k * columns, columns);
  }
}

}  // namespace far::apps::lu
