#pragma once
// The problems of NAS MG: Poisson's equation with periodic boundaries on a cube, by a fixed number
// of multigrid V-cycles.
//
// Source: D. Bailey et al., The NAS Parallel Benchmarks, NAS technical report RNR-94-007, section
// 2.5; sizes, iterations and norms of the classes as published with NPB 3.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace far::apps::mg {

/// Weights of a 27-point stencil by the number of coordinates in which a neighbor differs: the cell
/// itself, 6 faces, 12 edges, 8 corners.
using stencil = std::array<double, 4>;

/// The discrete Laplacian; its faces have no weight.
inline constexpr stencil laplacian = {-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0};
/// The weights by which a coarse cell averages the fine residual.
inline constexpr stencil restriction = {1.0 / 2.0, 1.0 / 4.0, 1.0 / 8.0, 1.0 / 16.0};

struct problem {
  char name;              ///< the class: S, W, A, B
  int log_n;              ///< the cube has n = 2^log_n cells in each dimension
  int iterations;         ///< V-cycles
  stencil smoother;       ///< an approximate inverse of the Laplacian; its corners have no weight
  double published_norm;  ///< of the residual at the end

  [[nodiscard]] int n() const noexcept { return 1 << log_n; }
};

/// Relative distance from the published norm that counts as equal.
inline constexpr double norm_tolerance = 1e-8;

/// Errors: bad_argument, one line, if there is no such class. Lower case is accepted.
[[nodiscard]] const problem& problem_of_class(const std::string& name);

/// A nonzero point of the right-hand side.
struct charge {
  int z, y, x;
  double value;

  friend bool operator==(const charge&, const charge&) = default;
};

/// The 20 charges of a cube of n^3 cells: +1 where the pseudorandom numbers of the benchmark are
/// largest, -1 where they are smallest. The numbers are dealt to the cells in order, x fastest.
/// The same on all ranks, without messages. Cost: n^3 multiplications.
/// Checked by: mg_charges_test.agree_with_a_sorted_list
[[nodiscard]] std::vector<charge> charges_of(int n);

/// The benchmark's pseudorandom numbers: x_{k+1} = 5^13 x_k mod 2^46, of which x_1 is the first to
/// be used.
inline constexpr std::uint64_t random_seed = 314159265;
inline constexpr std::uint64_t random_factor = 1220703125;
inline constexpr std::uint64_t random_mask = (std::uint64_t{1} << 46) - 1;

}  // namespace far::apps::mg
