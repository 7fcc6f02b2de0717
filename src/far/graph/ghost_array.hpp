#pragma once
// What ghosts need from their owners, and messages to them, through cached arrays.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "far/array/cached_array.hpp"
#include "far/graph/bit_pieces.hpp"
#include "far/graph/csr_graph.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far::graphs {

/// The options of an array with so many vertices an element, whose parts are the ranks' vertices.
[[nodiscard]] cached_array_options laid_out(cached_array_options options, const csr_graph& graph,
                                            std::uint64_t vertices_per_element);
/// The first element of each rank's part, and the number of elements.
[[nodiscard]] std::vector<std::uint64_t> parts_of(const csr_graph& graph,
                                                  std::uint64_t vertices_per_element);

/// As ghost_exchange, whose invariant holds too: owners write their vertices' values to an array,
/// from which each rank reads the chunks that hold its ghosts.
/// Source: DArray (ICPP 2023), section 5.
template <class T>
class ghost_array {
 public:
  ghost_array(const world& world, const csr_graph& graph, const cached_array_options& options)
      : graph_(&graph),
        first_(graph.first(world.rank())),
        array_(world, graph.vertices, laid_out(options, graph, 1)),
        next_(graph.own() + graph.ghosts.size()),
        current_(next_.size()) {}

  [[nodiscard]] std::span<T> next() { return std::span(next_).first(graph_->own()); }
  [[nodiscard]] std::span<const T> values() const { return current_; }

  /// Cost: the chunks of own vertices are recalled from all ranks that have copies; a miss for each
  /// chunk with ghosts.
  void bring() {
    array_.put(first_, next());
    barrier(array_.world());
    // Ranks begin with different owners, so that these do not serve all of them one after another.
    const auto higher = std::ranges::lower_bound(graph_->ghosts, first_);
    const auto split = static_cast<std::size_t>(higher - graph_->ghosts.begin());
    copy_ghosts(split, graph_->ghosts.size());
    copy_ghosts(0, split);
    next_.swap(current_);
  }

 private:
  void copy_ghosts(std::size_t begin, std::size_t end) {
    const std::vector<std::uint64_t>& ghosts = graph_->ghosts;
    T* to = next_.data() + graph_->own() + begin;
    for (std::size_t g = begin; g < end;) {
      const read_pin<T> pin = array_.pin_read(ghosts[g]);
      const std::uint64_t after = pin.first() + pin.size();
      const T* const elements = pin.elements().data();
      for (; g < end && ghosts[g] < after; ++g) *to++ = elements[ghosts[g] - pin.first()];
    }
  }

  const csr_graph* graph_;
  std::uint64_t first_;
  cached_array<T> array_;
  std::vector<T> next_, current_;
};

/// As ghost_bits, in the same way: an element holds the bits of 64 vertices.
class ghost_array_bits {
 public:
  ghost_array_bits(const world& world, const csr_graph& graph, const cached_array_options& options);

  void bring(std::span<const std::uint64_t> own);
  [[nodiscard]] bool operator[](std::uint32_t column) const noexcept {
    return (bits_[column / 64] >> column % 64 & 1) != 0;
  }
  /// All of them.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return bits_; }

 private:
  struct group {  // ghosts of one owner
    std::uint64_t element;
    std::uint64_t first_ghost;
    chosen_bits wanted;
  };

  std::uint64_t own_;
  std::uint64_t first_;  // own element
  cached_array<std::uint64_t> array_;
  std::vector<group> groups_;
  std::vector<std::uint64_t> bits_;            // by column
  std::vector<std::uint64_t> words_, packed_;  // scratch memory of bring
};

/// As ghost_messages: a message is combined with the element of its vertex.
template <class T, class Op>
class array_messages {
 public:
  array_messages(const world& world, const csr_graph& graph, const cached_array_options& options)
      : graph_(&graph),
        first_(graph.first(world.rank())),
        array_(world, graph.vertices, laid_out(options, graph, 1)),
        arrived_(graph.own(), silence()) {
    array_.put(first_, arrived_);
    barrier(world);
  }

  void send(std::size_t ghost, const T& what) { array_.apply(graph_->ghosts[ghost], what, Op()); }

  /// Cost: besides send, the elements of all own vertices are read.
  template <class Take>
  void deliver(Take&& take) {
    barrier(array_.world());
    array_.get(first_, arrived_);
    for (std::size_t v = 0; v < arrived_.size(); ++v) {
      if (arrived_[v] == silence()) continue;
      array_.put(first_ + v, silence());
      take(v, arrived_[v]);
    }
  }

 private:
  static T silence() { return operator_identity<Op, T>::value(); }

  const csr_graph* graph_;
  std::uint64_t first_;
  cached_array<T> array_;
  std::vector<T> arrived_;  // to own vertices
};

}  // namespace far::graphs
