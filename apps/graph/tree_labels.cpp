#include "apps/graph/tree_labels.hpp"

#include <algorithm>
#include <numeric>

#include "far/graph/exchange_lists.hpp"

namespace far::apps {
namespace {

bool on_any_rank(const world& world, bool here) {
  return allreduce(world, std::uint64_t{here ? 1u : 0u}) != 0;
}

void sort_unique(auto& list) {
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
}

/// Cuts a sorted list into one for each rank, that owns the vertices which `vertex_of` says.
template <class T>
std::vector<std::vector<T>> cut_by_owner(std::span<const T> list, const local_graph& graph,
                                         auto vertex_of) {
  std::vector<std::vector<T>> result;
  auto at = list.begin();
  for (std::size_t r = 1; r < graph.starts.size(); ++r) {
    const auto end = std::ranges::lower_bound(at, list.end(), graph.starts[r], {}, vertex_of);
    result.emplace_back(at, end);
    at = end;
  }
  return result;
}

/// The place of each key in a sorted list that contains it.
std::size_t place_in(std::span<const std::uint64_t> sorted, std::uint64_t key) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, key) - sorted.begin());
}

}  // namespace

tree_labels::tree_labels(world& world, const local_graph& graph, const column_forest& trees)
    : world_(&world),
      graph_(&graph),
      trees_(&trees),
      first_(graph.first(world.rank())),
      labels_(graph.own()) {
  std::iota(labels_.begin(), labels_.end(), first_);
}

std::vector<std::uint64_t> tree_labels::of(std::span<const std::uint64_t> vertices) const {
  auto asked = exchange_lists(*world_, cut_by_owner(vertices, *graph_, std::identity()));
  for (auto& list : asked) {
    for (std::uint64_t& vertex : list) vertex = (*this)[vertex - first_];
  }
  std::vector<std::uint64_t> result;
  result.reserve(vertices.size());
  for (const auto& list : exchange_lists(*world_, asked)) {
    result.insert(result.end(), list.begin(), list.end());
  }
  return result;
}

/// Hooking relies on this invariant: when it starts, the labels in links are their own trees'
/// labels, so that it changes no tree which is hooked already. A tree that several ranks hook keeps
/// the smallest label. Their links remain, and are between other trees in the next round.
int tree_labels::join(std::vector<tree_link> links) {
  sort_unique(links);
  int rounds = 0;
  while (on_any_rank(*world_, !links.empty())) {
    send_hooks(links);
    shorten();
    update(links);
    ++rounds;
  }
  return rounds;
}

/// Replaces labels by those that they have become, and drops links of equal trees.
void tree_labels::update(std::vector<tree_link>& links) const {
  std::vector<std::uint64_t> before;
  for (const tree_link& link : links) before.insert(before.end(), {link.high, link.low});
  sort_unique(before);
  const std::vector<std::uint64_t> after = of(before);
  for (tree_link& link : links) {
    const std::uint64_t a = after[place_in(before, link.high)];
    const std::uint64_t b = after[place_in(before, link.low)];
    link = {std::max(a, b), std::min(a, b)};
  }
  std::erase_if(links, [](const tree_link& link) { return link.high == link.low; });
  sort_unique(links);
}

/// Hooks each tree to the smallest that it is linked with.
void tree_labels::send_hooks(const std::vector<tree_link>& links) {
  std::vector<tree_link> hooks;
  for (const tree_link& link : links) {
    if (hooks.empty() || hooks.back().high != link.high) hooks.push_back(link);
  }
  const auto received = exchange_lists(
      *world_, cut_by_owner(std::span<const tree_link>(hooks), *graph_, &tree_link::high));
  for (const auto& list : received) {
    for (const tree_link& link : list) hook(link.high - first_, link.low);
  }
}

void tree_labels::hook(std::size_t own, std::uint64_t label) {
  std::uint64_t& found = labels_[own];
  if (found == first_ + own) hooked_.push_back(own);
  found = std::min(found, label);
}

/// Replaces labels by the labels of their trees until each is its own tree's label. All chains
/// halve each time, because all ranks do so.
void tree_labels::shorten() {
  for (bool changed = true; changed;) {
    std::vector<std::uint64_t> before;
    for (const std::size_t own : hooked_) before.push_back(labels_[own]);
    sort_unique(before);
    const std::vector<std::uint64_t> after = of(before);
    for (const std::size_t own : hooked_) labels_[own] = after[place_in(before, labels_[own])];
    changed = on_any_rank(*world_, before != after);
  }
}

void tree_labels::reset() {
  for (const std::size_t own : hooked_) labels_[own] = first_ + own;
  hooked_.clear();
}

std::vector<std::uint64_t> tree_labels::take() {
  // A root is smaller than the rest of its tree, whose labels replace no root's.
  for (std::size_t own = 0; own < labels_.size(); ++own) labels_[own] = (*this)[own];
  return std::move(labels_);
}

}  // namespace far::apps
