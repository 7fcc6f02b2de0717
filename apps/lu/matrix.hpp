#pragma once
// The matrix as shared objects.

#include <cstdint>
#include <span>

#include "apps/common/object_workers.hpp"
#include "apps/lu/grid.hpp"
#include "far/far.hpp"

namespace far::apps::lu {

/// Elements by rows; an array of one region.
using block = ref<double[]>;

struct matrix {
  std::uint64_t n;
  std::uint64_t block_extent;
  std::uint64_t seed;
  double flop_ns;        ///< in a simulation: time of a floating-point operation
  std::uint64_t verify;  ///< 1: compute the residual
  ref<block[]> blocks;   ///< by rows; made by their owners
  ref<double[]> sums;    ///< by worker: squares of A - L U, then squares of A
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

/// Element (i, j) of the matrix that is factored: pseudorandom in [-1, 1), and n more on the
/// diagonal, so that the diagonal dominates.
[[nodiscard]] double element(std::uint64_t seed, std::uint64_t n, std::uint64_t i,
                             std::uint64_t j) noexcept;

/// What each worker does: it makes its blocks, and factors them together with the others.
void run_worker(worker<matrix>& self);

/// A worker's part of the residual: sums of squares over its blocks.
struct residual {
  double difference = 0;  ///< of A - L U
  double original = 0;    ///< of A
};
[[nodiscard]] residual residual_of(object_view& space, const matrix& what, const grid& places,
                                   std::span<const block> blocks, std::uint64_t worker);

}  // namespace far::apps::lu

template <>
struct far::object_type<far::apps::lu::matrix>
    : far::object_fields<far::apps::lu::matrix, &far::apps::lu::matrix::n,
                         &far::apps::lu::matrix::block_extent, &far::apps::lu::matrix::seed,
                         &far::apps::lu::matrix::flop_ns, &far::apps::lu::matrix::verify,
                         &far::apps::lu::matrix::blocks, &far::apps::lu::matrix::sums,
                         &far::apps::lu::matrix::begin_ns, &far::apps::lu::matrix::end_ns> {};
