#pragma once
// The block product by its definition, for tests.

#include "apps/matmul/matmul.hpp"

namespace far::apps::matmul::testing {

inline void plain_product(std::uint64_t m, std::uint64_t n, std::uint64_t k, const factor& a,
                          const factor& b, bool add, double* c, std::uint64_t leading) {
  const auto element = [](const factor& f, std::uint64_t i, std::uint64_t j) {
    return f.transposed ? f.first[j * f.leading + i] : f.first[i * f.leading + j];
  };
  for (std::uint64_t i = 0; i < m; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) {
      double sum = add ? c[i * leading + j] : 0.0;
      for (std::uint64_t l = 0; l < k; ++l) sum += element(a, i, l) * element(b, l, j);
      c[i * leading + j] = sum;
    }
  }
}

inline blas plain_blas() {
  return {plain_product, [](int) {}};
}

}  // namespace far::apps::matmul::testing
