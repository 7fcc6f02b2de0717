#pragma once
// Checks of a product that has been computed.

#include <string>

#include "apps/matmul/blocks.hpp"
#include "apps/matmul/shape.hpp"
#include "far/far.hpp"

namespace far::apps::matmul {

/// Collective: Freivalds' test. For random vectors x of elements +1 and -1, C x is compared with
/// op(A) (op(B) x). A wrong product passes with a chance of at most 1/2 for each vector, of which
/// there are 8. The matrices are read where they are.
/// Returns an empty string, or what differs.
///
/// Source: R. Freivalds, Probabilistic machines can use less running time, 1977.
/// Cost: that of 24 products of a matrix and a vector, and three sums over all ranks.
/// Checked by: matmul_check_test.wrong_elements_are_found
[[nodiscard]] std::string freivalds_difference(const world& world, const shape& s,
                                               const own_blocks& blocks);

/// Compares this rank's block of C with the product of the rows and columns that it needs, made
/// once more and multiplied at once by `product`, without communication.
/// Returns an empty string, or what differs.
/// Checked by: matmul_check_test.wrong_elements_are_found
[[nodiscard]] std::string difference_from(const block_product& product, const shape& s,
                                          const stored_block& c);

}  // namespace far::apps::matmul
