#include "apps/matmul/blas_product.hpp"

#include <cblas.h>

namespace far::apps::matmul {
namespace {

void multiply_blocks(std::uint64_t m, std::uint64_t n, std::uint64_t k, const factor& a,
                     const factor& b, bool add, double* c, std::uint64_t leading) {
  const auto transposed = [](const factor& f) { return f.transposed ? CblasTrans : CblasNoTrans; };
  const auto size = [](std::uint64_t value) { return static_cast<blasint>(value); };
  cblas_dgemm(CblasRowMajor, transposed(a), transposed(b), size(m), size(n), size(k), 1.0, a.first,
              size(a.leading), b.first, size(b.leading), add ? 1.0 : 0.0, c, size(leading));
}

}  // namespace

blas open_blas() {
  openblas_set_num_threads(1);
  return {multiply_blocks, [](int threads) { openblas_set_num_threads(threads); }};
}

}  // namespace far::apps::matmul
