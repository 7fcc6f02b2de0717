#include "apps/matmul/check.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "far/base/random.hpp"

namespace far::apps::matmul {
namespace {

constexpr std::uint64_t vectors = 8;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// `vectors` vectors of equal length; elements with the same index are adjacent.
using vector_set = std::vector<double>;

vector_set random_signs(std::uint64_t length) {
  base::random random(1977);
  vector_set x(length * vectors);
  for (double& value : x) value = (random() & 1) != 0 ? 1.0 : -1.0;
  return x;
}

/// y += op(block) x, for the elements of x and y that the block has to do with.
void add_product(vector_set& y, const stored_block& block, bool transposed, const vector_set& x) {
  for (std::uint64_t i = 0; i < block.rows.size(); ++i) {
    const double* const row = block.row(i);
    for (std::uint64_t j = 0; j < block.columns.size(); ++j) {
      std::uint64_t to = (block.rows.begin + i) * vectors;
      std::uint64_t from = (block.columns.begin + j) * vectors;
      if (transposed) std::swap(to, from);
      for (std::uint64_t v = 0; v < vectors; ++v) y[to + v] += row[j] * x[from + v];
    }
  }
}

vector_set product_of(const world& world, std::uint64_t length, const stored_block& block,
                      bool transposed, const vector_set& x) {
  vector_set y(length * vectors, 0.0);
  add_product(y, block, transposed, x);
  allreduce(world, y);
  return y;
}

}  // namespace

std::string freivalds_difference(const world& world, const shape& s, const own_blocks& blocks) {
  const vector_set x = random_signs(s.n);
  const vector_set bx = product_of(world, s.k, blocks.b, s.transpose_b, x);
  const vector_set abx = product_of(world, s.m, blocks.a, s.transpose_a, bx);
  const vector_set cx = product_of(world, s.m, blocks.c, false, x);
  // Elements are below 1, so those of C below k, and those of the results below k n. Each is a sum
  // of so many terms, whose roundings add up to at most this.
  const auto k = static_cast<double>(s.k);
  const auto n = static_cast<double>(s.n);
  const double allowed = 4 * (k + n) * k * n * epsilon;
  for (std::size_t i = 0; i < cx.size(); ++i) {
    if (std::abs(cx[i] - abx[i]) <= allowed) continue;
    return fmt::format("row {} of C is wrong: its product with a vector is {} instead of {}",
                       i / vectors, cx[i], abx[i]);
  }
  return {};
}

std::string difference_from(const block_product& product, const shape& s, const stored_block& c) {
  const std::uint64_t m = c.rows.size();
  const std::uint64_t n = c.columns.size();
  if (m == 0 || n == 0) return {};
  const auto made = [](std::vector<double>& memory, which matrix, range rows, range columns,
                       bool transposed) {
    if (transposed) std::swap(rows, columns);
    memory.resize(rows.size() * columns.size());
    const stored_block block{rows, columns, memory.data(), columns.size()};
    fill(block, matrix);
    return factor{block.first, block.leading, transposed};
  };
  std::vector<double> a_memory;
  std::vector<double> b_memory;
  std::vector<double> expected(m * n);
  const factor a = made(a_memory, which::a, c.rows, {0, s.k}, s.transpose_a);
  const factor b = made(b_memory, which::b, {0, s.k}, c.columns, s.transpose_b);
  product(m, n, s.k, a, b, false, expected.data(), n);
  const double allowed = 4 * static_cast<double>(s.k) * static_cast<double>(s.k) * epsilon;
  for (std::uint64_t i = 0; i < m; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) {
      if (std::abs(c.row(i)[j] - expected[i * n + j]) <= allowed) continue;
      return fmt::format("element ({}, {}) of C is {} instead of {}", c.rows.begin + i,
                         c.columns.begin + j, c.row(i)[j], expected[i * n + j]);
    }
  }
  return {};
}

}  // namespace far::apps::matmul
