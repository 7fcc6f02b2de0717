#include "apps/graph/numbering.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "apps/common/target_clones.hpp"
#include "far/graph/exchange_lists.hpp"

namespace far::apps {
namespace {

constexpr std::uint64_t absent = ~std::uint64_t{0} - 1;  // the number of an id that is not listed

void sort_unique(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
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

template <class From, class To, class Number>
void rename_by(std::span<const From> edges, To* into, Number number) {
  using id = decltype(To::from);
  for (const From& e : edges) {
    *into++ = {static_cast<id>(number(static_cast<std::int64_t>(e.from))),
               static_cast<id>(number(static_cast<std::int64_t>(e.to)))};
  }
}

// Not a template, so that it can be compiled for processors that count bits by an instruction.
FAR_APPS_ALSO_FOR("popcnt")
void rename_narrow(std::span<const narrow_edge> edges, narrow_edge* into, const id_set& set) {
  for (const narrow_edge& e : edges) {
    *into++ = {static_cast<std::uint32_t>(set.position(e.from)),
               static_cast<std::uint32_t>(set.position(e.to))};
  }
}

void insert_all(id_set& set, const edge_store& edges) {
  edges.visit_all([&](const auto& block) {
    for (const auto& e : block.edges) {
      set.insert(static_cast<std::int64_t>(e.from));
      set.insert(static_cast<std::int64_t>(e.to));
    }
  });
}

template <class Knows>
std::optional<std::int64_t> first_unknown(const edge_store& edges, Knows knows) {
  std::optional<std::int64_t> unknown;
  edges.visit_all([&](const auto& block) {
    for (const auto& e : block.edges) {
      if (unknown) return;
      for (const auto id : {e.from, e.to}) {
        if (!unknown && !knows(static_cast<std::int64_t>(id))) {
          unknown = static_cast<std::int64_t>(id);
        }
      }
    }
  });
  return unknown;
}

}  // namespace

numbering::numbering(world& world, const edge_store& edges, const vertex_source& source) {
  if (source.header) {
    vertices_ = source.header->vertices;
    first_id_ = source.header->first_id;
    return;
  }
  std::int64_t low = edges.min_id();
  std::int64_t high = edges.max_id();
  if (source.listed && !source.listed->empty()) {
    const auto [min, max] = std::ranges::minmax(*source.listed);
    low = std::min(low, min);
    high = std::max(high, max);
  }
  low = allreduce(world, low, [](auto a, auto b) { return std::min(a, b); });
  high = allreduce(world, high, [](auto a, auto b) { return std::max(a, b); });
  const std::uint64_t entries =
      allreduce(world, edges.size() + (source.listed ? source.listed->size() : 0));
  if (low > high) return;  // no vertices
  // A set takes two bits per id of the range on each rank: at most as much as the rank's edges.
  const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t dense = 32 * (entries / static_cast<std::uint64_t>(world.size())) + 65536;
  if (width < dense) {
    number_dense(world, edges, source, low, width + 1);
  } else {
    number_scattered(world, edges, source);
  }
}

void numbering::number_dense(world& world, const edge_store& edges, const vertex_source& source,
                             std::int64_t first, std::uint64_t width) {
  set_ = id_set(first, width);
  if (source.listed) {
    for (const std::int64_t id : *source.listed) set_.insert(id);
  } else {
    insert_all(set_, edges);
  }
  allreduce(world, set_.bits(), std::bit_or<std::uint64_t>());
  set_.seal();
  vertices_ = set_.size();
  way_ = vertices_ == width ? way::consecutive : way::dense;
  first_id_ = first;
  if (source.listed) {
    unknown_ = first_unknown(edges, [&](std::int64_t id) { return set_.contains(id); });
  }
}

void numbering::number_scattered(world& world, const edge_store& edges,
                                 const vertex_source& source) {
  way_ = way::scattered;
  std::vector<std::int64_t> ids;  // in this rank's edges
  edges.visit_all([&](const auto& block) {
    for (const auto& e : block.edges) {
      for (const auto id : {e.from, e.to}) {
        if (table_.insert(static_cast<std::int64_t>(id))) {
          ids.push_back(static_cast<std::int64_t>(id));
        }
      }
    }
  });
  std::sort(ids.begin(), ids.end());
  const auto size = static_cast<std::size_t>(world.size());
  std::vector<std::vector<std::int64_t>> asked;  // by each rank: ids whose numbers it wants
  const auto exchange_ids = [&](const std::vector<std::int64_t>& vertices) {
    const std::vector<std::int64_t> cuts = splitters(world, vertices);
    asked = exchange_lists(world, cut_up(vertices, cuts, size));
    for (const auto& part : asked) slice_.insert(slice_.end(), part.begin(), part.end());
    sort_unique(slice_);
    return cuts;
  };
  if (source.listed) {
    std::vector<std::int64_t> vertices = *source.listed;
    sort_unique(vertices);
    const auto cuts = exchange_ids(vertices);
    asked = exchange_lists(world, cut_up(ids, cuts, size));
  } else {
    exchange_ids(ids);
  }
  const auto count = static_cast<std::uint64_t>(slice_.size());
  slice_first_ = exclusive_scan(world, count, std::uint64_t{0});
  vertices_ = allreduce(world, count);

  // Reply to each rank with the numbers of the ids that it sent, in its order.
  std::vector<std::vector<std::uint64_t>> answers(size);
  for (std::size_t r = 0; r < size; ++r) {
    auto place = slice_.begin();  // both lists are sorted
    for (const std::int64_t id : asked[r]) {
      place = std::lower_bound(place, slice_.end(), id);
      const bool found = place != slice_.end() && *place == id;
      answers[r].push_back(found ? slice_first_ + static_cast<std::uint64_t>(place - slice_.begin())
                                 : absent);
    }
  }
  auto id = ids.begin();
  for (const auto& part : exchange_lists(world, answers)) {
    for (const std::uint64_t number : part) table_.set(*id++, number);
  }
  if (source.listed) {
    unknown_ = first_unknown(edges, [&](std::int64_t one) { return table_[one] != absent; });
  }
}

void numbering::rename(edge_store& edges) const {
  const bool narrow = vertices_ <= std::uint64_t{1} << 32;
  if (way_ == way::consecutive) {
    if (first_id_ == 0 && narrow) {  // nothing changes but the width
      return edges.rename(true, [](auto in, auto* into) {
        if (static_cast<const void*>(in.data()) == into) return;
        rename_by(in, into, std::identity());
      });
    }
    return edges.rename(narrow, [&](auto in, auto* into) {
      rename_by(in, into, [&](std::int64_t id) { return id - first_id_; });
    });
  }
  if (way_ == way::scattered) {
    return edges.rename(narrow, [&](auto in, auto* into) {
      rename_by(in, into, [&](std::int64_t id) { return table_[id]; });
    });
  }
  edges.rename(narrow, [&](auto in, auto* into) {
    if constexpr (std::is_same_v<decltype(in), std::span<const narrow_edge>> &&
                  std::is_same_v<decltype(into), narrow_edge*>) {
      rename_narrow(in, into, set_);
    } else {
      rename_by(in, into, [&](std::int64_t id) { return set_.position(id); });
    }
  });
}

std::vector<std::int64_t> numbering::ids_of(world& world,
                                            const std::vector<std::uint64_t>& starts) const {
  const auto rank = static_cast<std::size_t>(world.rank());
  std::vector<std::int64_t> ids;
  switch (way_) {
    case way::consecutive:
      ids.resize(starts[rank + 1] - starts[rank]);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        ids[i] = first_id_ + static_cast<std::int64_t>(starts[rank] + i);
      }
      break;
    case way::dense:
      ids = set_.members(starts[rank], starts[rank + 1]);
      break;
    case way::scattered: {
      const auto size = static_cast<std::size_t>(world.size());
      std::vector<std::vector<std::int64_t>> outgoing(size);
      for (std::size_t r = 0; r < size; ++r) {
        const std::uint64_t end = slice_first_ + slice_.size();
        const std::uint64_t low = std::clamp(starts[r], slice_first_, end) - slice_first_;
        const std::uint64_t high = std::clamp(starts[r + 1], slice_first_, end) - slice_first_;
        outgoing[r].assign(slice_.begin() + static_cast<std::ptrdiff_t>(low),
                           slice_.begin() + static_cast<std::ptrdiff_t>(high));
      }
      for (const auto& part : exchange_lists(world, outgoing)) {
        ids.insert(ids.end(), part.begin(), part.end());
      }
    }
  }
  return ids;
}

}  // namespace far::apps
