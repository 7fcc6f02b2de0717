#pragma once
// METIS graph files (manual of METIS 5.1, section 4.1.1). The first line is
// `VERTICES EDGES [FORMAT [WEIGHTS]]`; then each vertex 1, 2, ... has a line with its neighbours,
// which is empty if there are none. Lines that start with % are comments. The graph is undirected:
// an edge is in the lists of both of its vertices.
// FORMAT has three digits, each 0 or 1. The first: a line begins with the vertex's size. The
// second: then come WEIGHTS weights of the vertex (1 if not given). Both are ignored. The third:
// each neighbour is followed by the edge's weight, at least 0.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps {

class metis_parser {
 public:
  /// Parses lines of the head until it is complete; returns the number of bytes consumed.
  /// Here and below, the text must be whole lines. Errors: text_error.
  std::size_t parse_head(std::string_view lines);

  /// Appends the neighbours in `lines`, which must follow the head, as edges from their vertices;
  /// and their weights, unless `weights` is null. The first line is that of vertex next_vertex().
  /// Errors: text_error.
  void parse_lists(std::string_view lines, std::vector<edge>& edges, std::vector<double>* weights);

  /// How many vertices' lists `lines` has.
  [[nodiscard]] static std::uint64_t count_lists(std::string_view lines);

  /// The vertex whose list is parsed next, from 0.
  [[nodiscard]] std::uint64_t next_vertex() const { return next_; }
  void start_at(std::uint64_t vertex) { next_ = vertex; }

  /// Set once the head is complete. Its entries are those of the lists: twice the edges.
  [[nodiscard]] const std::optional<graph_header>& header() const { return header_; }

 private:
  std::optional<graph_header> header_;
  int numbers_before_ = 0;  // sizes and weights of the vertex, in front of its list
  std::uint64_t next_ = 0;
};

}  // namespace far::apps
