#include "far/graph/ghost_array.hpp"

namespace far::graphs {

std::vector<std::uint64_t> parts_of(const csr_graph& graph, std::uint64_t vertices_per_element) {
  std::vector<std::uint64_t> parts{0};
  for (std::size_t r = 0; r + 1 < graph.starts.size(); ++r) {
    const std::uint64_t own = graph.starts[r + 1] - graph.starts[r];
    parts.push_back(parts.back() + (own + vertices_per_element - 1) / vertices_per_element);
  }
  return parts;
}

cached_array_options laid_out(cached_array_options options, const csr_graph& graph,
                              std::uint64_t vertices_per_element) {
  options.begins = parts_of(graph, vertices_per_element);
  options.begins.pop_back();
  return options;
}

ghost_array_bits::ghost_array_bits(const world& world, const csr_graph& graph,
                                   const cached_array_options& options)
    : own_(graph.own()),
      first_(parts_of(graph, 64)[static_cast<std::size_t>(world.rank())]),
      array_(world, parts_of(graph, 64).back(), laid_out(options, graph, 64)),
      bits_((own_ + graph.ghosts.size() + 63) / 64) {
  const std::vector<std::uint64_t> parts = parts_of(graph, 64);
  for (std::size_t g = 0; g < graph.ghosts.size();) {
    const auto r = static_cast<std::size_t>(owner_of(graph.starts, graph.ghosts[g]));
    group one{parts[r], g, {}};
    for (; g < graph.ghosts.size() && graph.ghosts[g] < graph.starts[r + 1]; ++g) {
      one.wanted.add(static_cast<std::uint32_t>(graph.ghosts[g] - graph.starts[r]));
    }
    groups_.push_back(std::move(one));
  }
  // Ranks begin with different owners, so that these do not serve all of them one after another.
  std::ranges::rotate(groups_, std::ranges::lower_bound(groups_, first_, {}, &group::element));
}

void ghost_array_bits::bring(std::span<const std::uint64_t> own) {
  array_.put(first_, own);
  barrier(array_.world());
  const auto rest = std::ranges::copy(own, bits_.begin()).out;
  std::fill(rest, bits_.end(), 0);
  for (const group& one : groups_) {
    const auto last = one.wanted.words().back().index;
    words_.resize(last + 1);
    array_.get(one.element, words_);
    packed_.assign(one.wanted.packed_words(), 0);
    one.wanted.pack(words_.data(), packed_.data());
    place_bits(packed_.data(), one.wanted.size(), bits_.data(), own_ + one.first_ghost);
  }
}

}  // namespace far::graphs
