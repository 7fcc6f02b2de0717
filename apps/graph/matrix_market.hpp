#pragma once
// Matrix Market files (math.nist.gov/MatrixMarket/formats.html), read as graphs: entry (i, j) is
// an edge from vertex i to vertex j, whatever its value, even 0. The value, unless it is complex,
// is the edge's weight. The matrix must be square, in coordinate format, of any field (pattern,
// real, integer, unsigned-integer, complex) and symmetry; an entry of a symmetric, skew-symmetric
// or hermitian matrix is an edge in both directions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps {

/// The first word of every such file, according to the format.
inline constexpr std::string_view matrix_market_banner = "%%MatrixMarket";

/// Whether `text` starts with the banner as real files spell it: in any case, after one or more %.
/// Whole collections have a single %. If that were not accepted, the banner would be a comment of
/// an edge list, and the size of the matrix an edge.
[[nodiscard]] bool is_matrix_market(std::string_view text);

class matrix_market_parser {
 public:
  /// Parses only entries, for parts that do not see the head.
  explicit matrix_market_parser(const graph_header& header) : header_(header) {}
  matrix_market_parser() = default;

  /// Parses lines of the head until it is complete; returns the number of bytes consumed.
  /// Here and below, the text must be whole lines. Errors: text_error.
  std::size_t parse_head(std::string_view lines);

  /// Appends the edges of `lines`, which must follow the head; and their values, if there is one
  /// for each, unless `weights` is null.
  void parse_entries(std::string_view lines, std::vector<edge>& edges,
                     std::vector<double>* weights = nullptr,
                     weight_sign allowed = weight_sign::any) const;

  /// Set once the head is complete.
  [[nodiscard]] const std::optional<graph_header>& header() const { return header_; }

 private:
  void parse_banner(std::string_view line);
  void parse_size(std::string_view line);

  std::optional<graph_header> header_;
  graph_header promised_;  // from the banner, until the size line completes it
  bool banner_seen_ = false;
};

}  // namespace far::apps
