#pragma once
// Joins the trees that ranks have made of their own vertices to components of the whole graph.

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/column_forest.hpp"
#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Two trees of one component, by their labels; high > low. Links have an order, so that lists of
/// them can be sorted.
struct tree_link {
  std::uint64_t high;
  std::uint64_t low;
  friend auto operator<=>(const tree_link&, const tree_link&) = default;
};

/// A label for each tree: a vertex of its component, at first the root, never larger than the root.
/// The label of a tree whose label is its own root may be given to other trees.
///
/// Each rank holds the labels of the trees of its own vertices, according to a flattened forest
/// that outlives this object. Vertices are numbered as in the whole graph here.
class tree_labels {
 public:
  tree_labels(world& world, const local_graph& graph, const column_forest& trees);

  /// Label of the tree of an own vertex, counted from the first one.
  [[nodiscard]] std::uint64_t operator[](std::size_t own) const {
    return labels_[trees_->root(own)];
  }

  /// Collective: the labels of the trees of any vertices, which must be sorted.
  /// Cost: two exchanges of lists, of 8 bytes a vertex.
  [[nodiscard]] std::vector<std::uint64_t> of(std::span<const std::uint64_t> vertices) const;

  /// Collective: gives equal labels to trees that are linked, and to trees that have equal labels
  /// with these. No label in the links may have been hooked. Returns the number of rounds of
  /// hooking.
  /// Cost: O(log n) rounds in practice; each is some exchanges of lists. A rank sends and receives
  /// 8 bytes for each different label in its links, and in the trees of its own that were hooked.
  /// Source: the hooking and shortcutting of Y. Shiloach, U. Vishkin, An O(log n) parallel
  /// connectivity algorithm, 1982.
  int join(std::vector<tree_link> links);

  /// Labels the tree of an own vertex, whose label is its root, with a smaller vertex.
  void hook(std::size_t own, std::uint64_t label);
  /// Undoes all joining. Requires that all ranks do so.
  void reset();

  /// Labels of own vertices. Ends the use of this object.
  [[nodiscard]] std::vector<std::uint64_t> take();

 private:
  void update(std::vector<tree_link>& links) const;
  void send_hooks(const std::vector<tree_link>& links);
  void shorten();

  world* world_;
  const local_graph* graph_;
  const column_forest* trees_;
  std::uint64_t first_;
  std::vector<std::uint64_t> labels_;  ///< by own vertex; those of roots are valid
  std::vector<std::size_t> hooked_;    ///< own roots whose labels are other vertices
};

}  // namespace far::apps
