#pragma once
// The edges that one rank has read, in blocks that are freed one by one when they are sent on. An
// edge takes 8 bytes if its ids fit 32 bits without sign, else 16; and 8 for a weight.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps {

/// An edge whose ids fit 32 bits.
struct narrow_edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

template <class Edge>
struct edge_block {
  std::vector<Edge> edges;
  std::vector<double> weights;  ///< one per edge, or empty
};

/// Not thread-safe.
class edge_store {
 public:
  static constexpr std::size_t edges_per_block = 32 * 1024;

  /// Appends edges, and one weight for each of them unless `weights` is empty. All calls or none
  /// give weights.
  void append(std::span<const edge> edges, std::span<const double> weights = {});

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool weighted() const { return weighted_; }
  /// The smallest and the largest id; the smallest is larger if there is no edge.
  [[nodiscard]] std::int64_t min_id() const { return min_; }
  [[nodiscard]] std::int64_t max_id() const { return max_; }
  [[nodiscard]] std::size_t blocks() const { return narrow_.size() + wide_.size(); }
  [[nodiscard]] std::uint64_t bytes() const;

  /// Calls visit(block) for block `index`, which is an edge_block of either kind.
  template <class Visit>
  void visit(std::size_t index, Visit&& visit) const {
    if (index < narrow_.size()) {
      visit(narrow_[index]);
    } else {
      visit(wide_[index - narrow_.size()]);
    }
  }

  template <class Visit>
  void visit_all(Visit&& visit_one) const {
    for (std::size_t i = 0; i < blocks(); ++i) visit(i, visit_one);
  }

  /// Replaces ids by `rename(edges, into)`, which writes the renamed edges; calls it for one block
  /// at a time, whose memory it reuses or frees. Afterwards all blocks are narrow, or all are wide.
  template <class Rename>
  void rename(bool narrow, Rename&& rename) {
    if (narrow) {
      rename_all(narrow_, wide_, rename);
    } else {
      rename_all(wide_, narrow_, rename);
    }
  }

  /// Frees the memory of block `index`, which then has no edges.
  void release(std::size_t index);

 private:
  template <class Edge>
  void append_to(std::vector<edge_block<Edge>>& blocks, std::span<const edge> edges,
                 std::span<const double> weights);

  template <class To, class From, class Rename>
  static void rename_all(std::vector<edge_block<To>>& to, std::vector<edge_block<From>>& from,
                         Rename&& rename) {
    for (auto& block : to) rename(std::span<const To>(block.edges), block.edges.data());
    for (auto& block : from) {
      edge_block<To> renamed{std::vector<To>(block.edges.size()), std::move(block.weights)};
      rename(std::span<const From>(block.edges), renamed.edges.data());
      to.push_back(std::move(renamed));
      block = {};
    }
    from.clear();
  }

  std::vector<edge_block<narrow_edge>> narrow_;
  std::vector<edge_block<edge>> wide_;
  std::uint64_t size_ = 0;
  bool weighted_ = false;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace far::apps
