// The operators, compared with their definition: 27 weights on a periodic cube.

#include "apps/mg/kernels.hpp"

#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"

namespace far::apps::mg {
namespace {

constexpr int n = 8;

int around(int i, int size) { return (i % size + size) % size; }

/// A periodic cube without ghost cells.
struct cube {
  explicit cube(int extent)
      : size(extent), values(static_cast<std::size_t>(extent * extent * extent), 0.0) {}
  double& at(int z, int y, int x) {
    const int index = (around(z, size) * size + around(y, size)) * size + around(x, size);
    return values[static_cast<std::size_t>(index)];
  }
  int size;
  std::vector<double> values;
};

double stencil_at(cube& of, const stencil& weights, int z, int y, int x) {
  double sum = 0;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      for (int k = -1; k <= 1; ++k) {
        const auto distance = static_cast<std::size_t>(std::abs(i) + std::abs(j) + std::abs(k));
        sum += weights[distance] * of.at(z + i, y + j, x + k);
      }
    }
  }
  return sum;
}

cube random_cube(int size, std::uint64_t seed) {
  base::random random(seed);
  cube result(size);
  for (double& value : result.values) value = static_cast<double>(random() % 1000) / 1000;
  return result;
}

field field_of(cube& from) {
  field result(from.size, from.size, from.size, false, false);
  for (int z = 0; z < from.size; ++z) {
    for (int y = 0; y < from.size; ++y) {
      for (int x = 0; x < from.size; ++x) result.row(z, y)[x] = from.at(z, y, x);
      wrap_row(result.row(z, y), from.size);
    }
  }
  return result;
}

/// Calls expected(z, y, x) for each cell with its ghosts, and compares.
template <class F>
void expect_cells(const field& found, F expected) {
  for (int z = -1; z <= found.planes(); ++z) {
    for (int y = -1; y <= found.rows(); ++y) {
      for (int x = -1; x <= found.n(); ++x) {
        ASSERT_NEAR(found.row(z, y)[x], expected(z, y, x), 1e-12) << z << " " << y << " " << x;
      }
    }
  }
}

TEST(mg_kernels_test, operators_are_their_stencils) {
  cube u = random_cube(n, 1);
  cube v = random_cube(n, 2);
  row_sums sums(n);
  const field u_field = field_of(u);
  const field v_field = field_of(v);

  const field r = field_of(v);  // in place
  for (int z = 0; z < n; ++z) residual(r, r, u_field, z, {0, n}, sums);
  expect_cells(
      r, [&](int z, int y, int x) { return v.at(z, y, x) - stencil_at(u, laplacian, z, y, x); });

  const stencil& s = problem_of_class("A").smoother;
  const field smoothed = field_of(u);
  for (int z = 0; z < n; ++z) smooth(smoothed, v_field, s, z, {0, n}, sums);
  expect_cells(smoothed,
               [&](int z, int y, int x) { return u.at(z, y, x) + stencil_at(v, s, z, y, x); });

  std::vector<double> coarse(n / 2);
  for (int z = 0; z < n / 2; ++z) {
    for (int y = 0; y < n / 2; ++y) {
      restrict_row(coarse.data(), u_field, 2 * z + 1, 2 * y + 1, sums);
      for (int x = 0; x < n / 2; ++x) {
        EXPECT_NEAR(coarse[static_cast<std::size_t>(x)],
                    stencil_at(u, restriction, 2 * z + 1, 2 * y + 1, 2 * x + 1), 1e-12);
      }
    }
  }
}

TEST(mg_kernels_test, interpolation_is_the_mean_of_coarse_cells) {
  cube coarse = random_cube(n / 2, 3);
  cube u = random_cube(n, 4);
  row_sums sums(n);
  const field from = field_of(coarse);
  const field to = field_of(u);
  const auto sources = [](int i) {
    return i % 2 == 1 ? range{i / 2, i / 2 + 1} : range{i / 2 - 1, i / 2 + 1};
  };
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      interpolate_row(to.row(z, y), true, from, sources(z), sources(y), sums);
    }
  }
  expect_cells(to, [&](int z, int y, int x) {
    double sum = 0;
    int count = 0;
    const range zs = sources(around(z, n));
    const range ys = sources(around(y, n));
    const range xs = sources(around(x, n));
    for (int i = zs.begin; i < zs.end; ++i) {
      for (int j = ys.begin; j < ys.end; ++j) {
        for (int k = xs.begin; k < xs.end; ++k) {
          sum += coarse.at(i, j, k);
          ++count;
        }
      }
    }
    return u.at(z, y, x) + sum / count;
  });
}

}  // namespace
}  // namespace far::apps::mg
