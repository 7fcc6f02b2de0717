#include "apps/graph/numbering.hpp"

#include <algorithm>
#include <iterator>

#include "apps/graph/exchange_lists.hpp"

namespace far::apps {
namespace {

void sort_unique(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::vector<std::int64_t> ids_of(const std::vector<edge>& edges) {
  std::vector<std::int64_t> ids;
  ids.reserve(2 * edges.size());
  for (const edge& e : edges) {
    ids.push_back(e.from);
    ids.push_back(e.to);
  }
  sort_unique(ids);
  return ids;
}

/// Values that divide all ranks' ids into `size` slices of about equal length.
std::vector<std::int64_t> splitters(world& world, const std::vector<std::int64_t>& ids) {
  constexpr std::size_t samples_per_rank = 256;
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < std::min(samples_per_rank, ids.size()); ++i) {
    samples.push_back(ids[i * ids.size() / std::min(samples_per_rank, ids.size())]);
  }
  std::vector<std::int64_t> all = allgatherv(world, samples);
  sort_unique(all);
  std::vector<std::int64_t> cuts;
  const auto size = static_cast<std::size_t>(world.size());
  for (std::size_t r = 1; r < size; ++r) {
    if (!all.empty()) cuts.push_back(all[r * all.size() / size]);
  }
  return cuts;
}

/// Divides the sorted ids into one list per slice.
std::vector<std::vector<std::int64_t>> cut_up(const std::vector<std::int64_t>& ids,
                                              const std::vector<std::int64_t>& cuts,
                                              std::size_t size) {
  std::vector<std::vector<std::int64_t>> parts(size);
  auto from = ids.begin();
  for (std::size_t r = 0; r < size; ++r) {
    const auto to = r < cuts.size() ? std::lower_bound(from, ids.end(), cuts[r]) : ids.end();
    parts[r].assign(from, to);
    from = to;
  }
  return parts;
}

/// The ids of a matrix are 1..n, so they need no sorting.
numbering number_matrix(world& world, numbering result, const matrix_header& matrix) {
  result.vertices = matrix.vertices;
  const auto size = static_cast<std::uint64_t>(world.size());
  const auto rank = static_cast<std::uint64_t>(world.rank());
  const auto begin_of = [&](std::uint64_t r) {
    return matrix.vertices / size * r + std::min(r, matrix.vertices % size);
  };
  result.first = begin_of(rank);
  result.slice.reserve(begin_of(rank + 1) - result.first);
  for (std::uint64_t v = result.first; v < begin_of(rank + 1); ++v) {
    result.slice.push_back(static_cast<std::int64_t>(v + 1));
  }
  result.numbers.reserve(result.ids.size());
  for (const std::int64_t id : result.ids) {
    result.numbers.push_back(static_cast<std::uint64_t>(id - 1));
  }
  return result;
}

}  // namespace

std::uint64_t numbering::of(std::int64_t id) const {
  const auto place = std::lower_bound(ids.begin(), ids.end(), id);
  return numbers[static_cast<std::size_t>(place - ids.begin())];
}

numbering number_vertices(world& world, const std::vector<edge>& edges,
                          const std::optional<matrix_header>& matrix) {
  numbering result;
  result.ids = ids_of(edges);
  if (matrix) return number_matrix(world, std::move(result), *matrix);

  const auto size = static_cast<std::size_t>(world.size());
  const auto asked = exchange_lists(world, cut_up(result.ids, splitters(world, result.ids), size));
  for (const auto& part : asked) {
    result.slice.insert(result.slice.end(), part.begin(), part.end());
  }
  sort_unique(result.slice);
  result.first =
      exclusive_scan(world, static_cast<std::uint64_t>(result.slice.size()), std::uint64_t{0});
  result.vertices = allreduce(world, static_cast<std::uint64_t>(result.slice.size()));

  // Reply to each rank with the numbers of the ids that it sent, in its order.
  std::vector<std::vector<std::uint64_t>> answers(size);
  for (std::size_t r = 0; r < size; ++r) {
    auto place = result.slice.begin();  // both lists are sorted
    for (const std::int64_t id : asked[r]) {
      place = std::lower_bound(place, result.slice.end(), id);
      answers[r].push_back(result.first + static_cast<std::uint64_t>(place - result.slice.begin()));
    }
  }
  for (const auto& part : exchange_lists(world, answers)) {
    result.numbers.insert(result.numbers.end(), part.begin(), part.end());
  }
  return result;
}

}  // namespace far::apps
