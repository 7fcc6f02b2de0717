#include "apps/mg/kernels.hpp"

#include "apps/common/target_clones.hpp"

// Versions of each loop with wider vectors.
#define FAR_FOR_EACH_PROCESSOR FAR_APPS_ALSO_FOR("avx2", "avx512f")

namespace far::apps::mg {
namespace {

// The loops over one row. Rows that are written overlap no other, except that r may be v.

FAR_FOR_EACH_PROCESSOR
void add_neighbors(double* __restrict faces, double* __restrict edges, const field& of, int z,
                   int y) {
  const double* const above = of.row(z - 1, y);
  const double* const below = of.row(z + 1, y);
  const double* const left = of.row(z, y - 1);
  const double* const right = of.row(z, y + 1);
  const double* const above_left = of.row(z - 1, y - 1);
  const double* const above_right = of.row(z - 1, y + 1);
  const double* const below_left = of.row(z + 1, y - 1);
  const double* const below_right = of.row(z + 1, y + 1);
  const int n = of.n();
  for (int x = -1; x <= n; ++x) {
    faces[x] = (above[x] + below[x]) + (left[x] + right[x]);
    edges[x] = (above_left[x] + above_right[x]) + (below_left[x] + below_right[x]);
  }
}

FAR_FOR_EACH_PROCESSOR
void residual_row(double* r, const double* v, const double* __restrict u,
                  const double* __restrict faces, const double* __restrict edges, int n) {
  constexpr double center = laplacian[0];
  constexpr double edge = laplacian[2];
  constexpr double corner = laplacian[3];
  static_assert(laplacian[1] == 0.0);
#ifndef __clang__
#pragma GCC ivdep
#endif
  for (int x = 0; x < n; ++x) {
    r[x] = v[x] - center * u[x] - edge * (edges[x] + (faces[x - 1] + faces[x + 1])) -
           corner * (edges[x - 1] + edges[x + 1]);
  }
}

FAR_FOR_EACH_PROCESSOR
void smooth_row(double* __restrict u, const double* __restrict r, const double* __restrict faces,
                const double* __restrict edges, double center, double face, double edge, int n) {
  for (int x = 0; x < n; ++x) {
    u[x] += center * r[x] + face * (faces[x] + (r[x - 1] + r[x + 1])) +
            edge * (edges[x] + (faces[x - 1] + faces[x + 1]));
  }
}

FAR_FOR_EACH_PROCESSOR
void halve_row(double* __restrict to, const double* __restrict r, const double* __restrict faces,
               const double* __restrict edges, int coarse_n) {
  constexpr stencil w = restriction;
  for (int i = 0; i < coarse_n; ++i) {
    const int x = 2 * i + 1;
    to[i] = w[0] * r[x] + w[1] * (faces[x] + (r[x - 1] + r[x + 1])) +
            w[2] * (edges[x] + (faces[x - 1] + faces[x + 1])) +
            w[3] * (edges[x - 1] + edges[x + 1]);
  }
}

FAR_FOR_EACH_PROCESSOR
void add_row(double* __restrict sum, const double* __restrict row, int n) {
  for (int x = -1; x <= n; ++x) sum[x] += row[x];
}

FAR_FOR_EACH_PROCESSOR
void copy_row(double* __restrict sum, const double* __restrict row, int n) {
  for (int x = -1; x <= n; ++x) sum[x] = row[x];
}

FAR_FOR_EACH_PROCESSOR
void double_row(double* __restrict to, const double* __restrict sum, double weight, double keep,
                int coarse_n) {
  for (int i = 0; i < coarse_n; ++i) {
    to[2 * i] = keep * to[2 * i] + 0.5 * weight * (sum[i - 1] + sum[i]);
    to[2 * i + 1] = keep * to[2 * i + 1] + weight * sum[i];
  }
}

}  // namespace

row_sums::row_sums(int n)
    : faces_(static_cast<std::size_t>(n) + 2), edges_(static_cast<std::size_t>(n) + 2) {}

void residual(const field& r, const field& v, const field& u, int z, range y, row_sums& sums) {
  for (int j = y.begin; j < y.end; ++j) {
    add_neighbors(sums.faces(), sums.edges(), u, z, j);
    double* const row = r.row(z, j);
    residual_row(row, v.row(z, j), u.row(z, j), sums.faces(), sums.edges(), r.n());
    wrap_row(row, r.n());
  }
}

void smooth(const field& u, const field& r, const stencil& s, int z, range y, row_sums& sums) {
  for (int j = y.begin; j < y.end; ++j) {
    add_neighbors(sums.faces(), sums.edges(), r, z, j);
    double* const row = u.row(z, j);
    smooth_row(row, r.row(z, j), sums.faces(), sums.edges(), s[0], s[1], s[2], u.n());
    wrap_row(row, u.n());
  }
}

void restrict_row(double* to, const field& fine, int z, int y, row_sums& sums) {
  add_neighbors(sums.faces(), sums.edges(), fine, z, y);
  halve_row(to, fine.row(z, y), sums.faces(), sums.edges(), fine.n() / 2);
}

void interpolate_row(double* to, bool add, const field& coarse, range z, range y, row_sums& sums) {
  double* const sum = sums.faces();
  const int n = coarse.n();
  bool first = true;
  for (int i = z.begin; i < z.end; ++i) {
    for (int j = y.begin; j < y.end; ++j) {
      if (first) {
        copy_row(sum, coarse.row(i, j), n);
      } else {
        add_row(sum, coarse.row(i, j), n);
      }
      first = false;
    }
  }
  double_row(to, sum, 1.0 / (z.size() * y.size()), add ? 1.0 : 0.0, n);
  wrap_row(to, 2 * n);
}

double sum_of_squares(const field& r, int z, range y) {
  double sum = 0;
  for (int j = y.begin; j < y.end; ++j) {
    const double* const row = r.row(z, j);
    for (int x = 0; x < r.n(); ++x) sum += row[x] * row[x];
  }
  return sum;
}

}  // namespace far::apps::mg
