#include "far/graph/row_builder.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "far/base/error.hpp"

namespace far::graphs {
namespace {

constexpr std::uint64_t arcs_per_bucket = 8 * 1024;  // 64 KB
constexpr std::uint64_t max_buckets = 1024;

template <class Arc>
constexpr bool has_weight = requires(Arc arc) { arc.weight; };

void check_columns(std::uint64_t columns) {
  if (columns <= std::numeric_limits<std::uint32_t>::max()) return;
  throw bad_argument("a rank's share of the graph exceeds 2^32 vertices: use more ranks");
}

/// Equal arcs that are all kept: the order of their weights must not depend on how they arrived.
void sort_weights_of_equal_columns(adjacency& rows) {
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    const std::uint64_t end = rows.offsets[row + 1];
    for (std::uint64_t begin = rows.offsets[row]; begin < end;) {
      std::uint64_t after = begin + 1;
      while (after < end && rows.columns[after] == rows.columns[begin]) ++after;
      std::sort(rows.weights.begin() + static_cast<std::ptrdiff_t>(begin),
                rows.weights.begin() + static_cast<std::ptrdiff_t>(after));
      begin = after;
    }
  }
}

}  // namespace

template <class Arc>
row_builder<Arc>::row_builder(const own_range& own, std::uint64_t arcs)
    : own_(own), counts_(own.count, 0) {
  check_columns(own.count);
  const std::uint64_t wanted = std::clamp<std::uint64_t>(arcs / arcs_per_bucket, 1, max_buckets);
  const std::uint64_t width = std::bit_ceil(own.vertices / wanted + 1);
  shift_ = std::countr_zero(width);
  buckets_.resize((own.vertices >> shift_) + 1);
}

template <class Arc>
void row_builder<Arc>::sort_bucket(std::size_t bucket, arcs& sorted) {
  block_list<Arc>& list = buckets_[bucket];
  sorted.resize(list.size());
  const std::uint64_t width = std::uint64_t{1} << shift_;
  if (width > 8 * list.size()) {  // counting would take longer than comparing
    std::size_t at = 0;
    list.for_each([&](const Arc& arc) { sorted[at++] = arc; });
    std::sort(sorted.begin(), sorted.end(),
              [](const Arc& a, const Arc& b) { return a.column < b.column; });
    return list.clear();
  }
  begins_.assign(width + 1, 0);
  const std::uint64_t first = std::uint64_t{bucket} << shift_;
  list.for_each([&](const Arc& arc) { ++begins_[arc.column - first + 1]; });
  for (std::size_t i = 0; i < width; ++i) begins_[i + 1] += begins_[i];
  list.for_each([&](const Arc& arc) { sorted[begins_[arc.column - first]++] = arc; });
  list.clear();
}

template <class Arc>
void row_builder<Arc>::append(const arcs& sorted, bool keep_duplicates, adjacency& rows,
                              std::vector<std::uint64_t>& ghosts) {
  for (const Arc& arc : sorted) {
    std::uint64_t column = arc.column - own_.first;
    if (column >= own_.count) {
      if (ghosts.empty() || ghosts.back() != arc.column) ghosts.push_back(arc.column);
      column = own_.count + ghosts.size() - 1;
    }
    const auto short_column = static_cast<std::uint32_t>(column);
    std::uint64_t& at = counts_[arc.row];
    const bool repeated =
        !keep_duplicates && at > rows.offsets[arc.row] && rows.columns[at - 1] == short_column;
    if constexpr (has_weight<Arc>) {
      if (repeated) {
        rows.weights[at - 1] = std::min(rows.weights[at - 1], arc.weight);
      } else {
        rows.weights[at] = arc.weight;
      }
    }
    if (!repeated) rows.columns[at++] = short_column;
  }
}

/// Moves rows together where dropped arcs left space between them.
template <class Arc>
void row_builder<Arc>::close_gaps(adjacency& rows) const {
  std::uint64_t to = 0;
  for (std::size_t row = 0; row < own_.count; ++row) {
    const std::uint64_t from = rows.offsets[row];
    const std::uint64_t count = counts_[row] - from;
    rows.offsets[row] = to;
    if (from != to) {
      const auto move = [&](auto& values) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from), count,
                    values.begin() + static_cast<std::ptrdiff_t>(to));
      };
      move(rows.columns);
      if (has_weight<Arc>) move(rows.weights);
    }
    to += count;
  }
  rows.offsets[own_.count] = to;
  rows.columns.resize(to);
  if (has_weight<Arc>) rows.weights.resize(to);
}

template <class Arc>
adjacency row_builder<Arc>::finish(bool keep_duplicates, std::vector<std::uint64_t>& ghosts) {
  adjacency rows;
  rows.offsets.assign(own_.count + 1, 0);
  for (std::size_t row = 0; row < own_.count; ++row) {
    rows.offsets[row + 1] = rows.offsets[row] + counts_[row];
    counts_[row] = rows.offsets[row];
  }
  rows.columns.resize(rows.offsets.back());
  if (has_weight<Arc>) rows.weights.resize(rows.offsets.back());
  arcs sorted;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    if (buckets_[bucket].size() == 0) continue;
    sort_bucket(bucket, sorted);
    append(sorted, keep_duplicates, rows, ghosts);
  }
  check_columns(own_.count + ghosts.size());
  close_gaps(rows);
  if (has_weight<Arc> && keep_duplicates) sort_weights_of_equal_columns(rows);
  return rows;
}

template class row_builder<row_arc<std::uint32_t, false>>;
template class row_builder<row_arc<std::uint32_t, true>>;
template class row_builder<row_arc<std::uint64_t, false>>;
template class row_builder<row_arc<std::uint64_t, true>>;

void share_ghosts(std::uint64_t own, adjacency& first, std::vector<std::uint64_t>& first_ghosts,
                  adjacency& second, const std::vector<std::uint64_t>& second_ghosts) {
  std::vector<std::uint64_t> all;
  std::ranges::set_union(first_ghosts, second_ghosts, std::back_inserter(all));
  check_columns(own + all.size());
  const auto refer = [&](adjacency& rows, const std::vector<std::uint64_t>& ghosts) {
    if (ghosts.size() == all.size()) return;  // the same ghosts
    std::vector<std::uint32_t> columns;
    columns.reserve(ghosts.size());
    std::size_t at = 0;
    for (const std::uint64_t ghost : ghosts) {
      while (all[at] != ghost) ++at;
      columns.push_back(static_cast<std::uint32_t>(own + at));
    }
    for (std::uint32_t& column : rows.columns) {
      if (column >= own) column = columns[column - own];
    }
  };
  refer(first, first_ghosts);
  refer(second, second_ghosts);
  first_ghosts = std::move(all);
}

}  // namespace far::graphs
