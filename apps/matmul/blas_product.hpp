#pragma once
// The BLAS. Only the program uses it: everything else takes a block product as an argument.

#include "apps/matmul/matmul.hpp"

namespace far::apps::matmul {

/// Loads OpenBLAS, with one thread for each caller. To be called before there are other threads.
/// Without OpenBLAS the program ends, with a line that says so.
[[nodiscard]] blas open_blas();

}  // namespace far::apps::matmul
