#pragma once
// Shortest-path files of the 9th DIMACS challenge (www.diag.uniroma1.it/challenge9/format.shtml):
// comments `c ...`, one line `p sp VERTICES ARCS`, and lines `a FROM TO WEIGHT` with vertices
// 1..VERTICES. A weight is at least 0.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps {

/// Whether `text` starts like such a file: with a line `c ...` or `p ...`.
[[nodiscard]] bool is_dimacs(std::string_view text);

class dimacs_parser {
 public:
  /// Parses lines of the head until it is complete; returns the number of bytes consumed.
  /// Here and below, the text must be whole lines. Errors: text_error.
  std::size_t parse_head(std::string_view lines);

  /// Appends the arcs of `lines`, which must follow the head; and their weights, unless `weights`
  /// is null.
  void parse_entries(std::string_view lines, std::vector<edge>& edges,
                     std::vector<double>* weights) const;

  /// Set once the head is complete.
  [[nodiscard]] const std::optional<graph_header>& header() const { return header_; }

 private:
  std::optional<graph_header> header_;
};

}  // namespace far::apps
