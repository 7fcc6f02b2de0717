#include "apps/graph/sorted_rows.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace far::apps {
namespace {

using entry = std::pair<std::uint32_t, double>;  // column and weight

bool ascends(std::span<const std::uint32_t> row) {
  return std::ranges::adjacent_find(row, std::greater_equal<>()) == row.end();
}

void sort_row(adjacency& rows, std::uint64_t begin, std::uint64_t end,
              std::vector<entry>& scratch) {
  const auto from = rows.columns.begin() + static_cast<std::ptrdiff_t>(begin);
  if (rows.weights.empty()) {
    std::sort(from, from + static_cast<std::ptrdiff_t>(end - begin));
    return;
  }
  scratch.clear();
  for (std::uint64_t a = begin; a < end; ++a) {
    scratch.emplace_back(rows.columns[a], rows.weights[a]);
  }
  std::sort(scratch.begin(), scratch.end());
  for (std::uint64_t a = begin; a < end; ++a) {
    std::tie(rows.columns[a], rows.weights[a]) = scratch[a - begin];
  }
}

}  // namespace

void sort_rows(adjacency& rows, std::uint64_t first, bool keep_duplicates, bool keep_loops) {
  if (rows.offsets.empty()) return;
  std::vector<entry> scratch;
  std::uint64_t to = 0;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    const std::uint64_t begin = rows.offsets[v];
    const std::uint64_t end = rows.offsets[v + 1];
    const std::span<const std::uint32_t> row(rows.columns.data() + begin, end - begin);
    if (!ascends(row)) sort_row(rows, begin, end, scratch);
    rows.offsets[v] = to;
    const std::uint64_t start = to;
    for (std::uint64_t a = begin; a < end; ++a) {
      const std::uint32_t column = rows.columns[a];
      if (!keep_loops && column == first + v) continue;
      if (!keep_duplicates && to > start && rows.columns[to - 1] == column) continue;
      rows.columns[to] = column;
      if (!rows.weights.empty()) rows.weights[to] = rows.weights[a];
      ++to;
    }
  }
  rows.offsets.back() = to;
  rows.columns.resize(to);
  if (!rows.weights.empty()) rows.weights.resize(to);
}

adjacency united_rows(const adjacency& in, const adjacency& out, std::uint64_t first) {
  adjacency all;
  all.offsets.push_back(0);
  all.columns.reserve(in.columns.size() + out.columns.size());
  all.weights.reserve(in.weights.size() + out.weights.size());
  for (std::size_t v = 0; v + 1 < in.offsets.size(); ++v) {
    for (const adjacency* rows : {&in, &out}) {
      for (std::uint64_t a = rows->offsets[v]; a < rows->offsets[v + 1]; ++a) {
        // A loop is in both rows, but an undirected one has one arc.
        if (rows == &out && rows->columns[a] == first + v) continue;
        all.columns.push_back(rows->columns[a]);
        if (!rows->weights.empty()) all.weights.push_back(rows->weights[a]);
      }
    }
    all.offsets.push_back(all.columns.size());
  }
  return all;
}

}  // namespace far::apps
