#pragma once
// The BLAS. Only the program uses it: everything else takes a block product as an argument.

#include "apps/matmul/matmul.hpp"

namespace far::apps::matmul {

/// OpenBLAS, from now on with one thread for each caller.
[[nodiscard]] blas open_blas();

}  // namespace far::apps::matmul
