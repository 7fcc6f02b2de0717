#include "apps/matmul/blas_product.hpp"

#include <cblas.h>
#include <dlfcn.h>

#include <cstdlib>

#include <fmt/format.h>

namespace far::apps::matmul {
namespace {

decltype(&cblas_dgemm) gemm = nullptr;
decltype(&openblas_set_num_threads) set_threads = nullptr;

void multiply_blocks(std::uint64_t m, std::uint64_t n, std::uint64_t k, const factor& a,
                     const factor& b, bool add, double* c, std::uint64_t leading) {
  const auto transposed = [](const factor& f) { return f.transposed ? CblasTrans : CblasNoTrans; };
  const auto size = [](std::uint64_t value) { return static_cast<blasint>(value); };
  gemm(CblasRowMajor, transposed(a), transposed(b), size(m), size(n), size(k), 1.0, a.first,
       size(a.leading), b.first, size(b.leading), add ? 1.0 : 0.0, c, size(leading));
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  if (function != nullptr) return;
  fmt::print(stderr,
             "far-matmul: OpenBLAS cannot be loaded: {}; install it (Debian: libopenblas0)\n",
             dlerror());
  std::exit(EXIT_FAILURE);
}

}  // namespace

blas open_blas() {
  // OpenBLAS is not linked: it would start a thread for each core before main, in each rank, and
  // that thread would come to life while libfar and MPI load their own libraries.
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  find(library, "cblas_dgemm", gemm);
  find(library, "openblas_set_num_threads", set_threads);
  return {multiply_blocks, [](int threads) { set_threads(threads); }};
}

}  // namespace far::apps::matmul
