#include "apps/matmul/shape.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace far::apps::matmul {

std::string in_words(const shape& s) {
  return fmt::format("({} x {}{}) x ({} x {}{})", s.m, s.k, s.transpose_a ? ", transposed" : "",
                     s.k, s.n, s.transpose_b ? ", transposed" : "");
}

range part(std::uint64_t n, int parts, int i) noexcept {
  const auto count = static_cast<std::uint64_t>(parts);
  const auto begin = [&](std::uint64_t j) { return n / count * j + std::min(n % count, j); };
  const auto index = static_cast<std::uint64_t>(i);
  return {begin(index), begin(index + 1)};
}

rank_grid rank_grid::of(const shape& s, int ranks) {
  rank_grid best;
  double least = 0;
  for (int columns = 1; columns <= ranks; ++columns) {
    if (ranks % columns != 0) continue;
    const int rows = ranks / columns;
    // Of its m / rows rows of op(A), a rank lacks (columns - 1) of `columns` parts; likewise of B.
    const double moved =
        static_cast<double>(s.m) * (columns - 1) + static_cast<double>(s.n) * (rows - 1);
    if (columns > 1 && moved >= least) continue;
    least = moved;
    best = {rows, columns};
  }
  return best;
}

std::vector<range> panels_of(std::uint64_t k, int a_parts, int b_parts, std::uint64_t width) {
  std::vector<std::uint64_t> borders;
  for (const int parts : {a_parts, b_parts}) {
    for (int i = 0; i < parts; ++i) borders.push_back(part(k, parts, i).end);
  }
  std::ranges::sort(borders);
  std::vector<range> result;
  std::uint64_t begin = 0;
  for (const std::uint64_t border : borders) {
    while (begin < border) {
      const std::uint64_t end = begin + std::min(width, border - begin);
      result.push_back({begin, end});
      begin = end;
    }
  }
  return result;
}

}  // namespace far::apps::matmul
