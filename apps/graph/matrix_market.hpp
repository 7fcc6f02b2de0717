#pragma once
// Matrix Market files (math.nist.gov/MatrixMarket/formats.html), read as graphs: entry (i, j) is
// an edge from vertex i to vertex j, whatever its value, 0 too. The matrix is square, in
// coordinate format, of any field (pattern, real, integer, unsigned-integer, complex) and symmetry;
// the entries of symmetric, skew-symmetric and hermitian matrices stand for both directions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps {

/// The first word of every such file, as the format has it.
inline constexpr std::string_view matrix_market_banner = "%%MatrixMarket";

/// Whether `text` starts with the banner, as it is found: in any case, and after one % or more.
/// Whole collections have a single %, which would else make the line a comment of an edge list, and
/// the size of the matrix an edge.
[[nodiscard]] bool is_matrix_market(std::string_view text);

class matrix_market_parser {
 public:
  /// A parser of the entries alone, for parts that do not see the head.
  explicit matrix_market_parser(const matrix_header& header) : header_(header) {}
  matrix_market_parser() = default;

  /// Reads lines of the head until it is complete; returns the bytes it took.
  /// Text is whole lines here and below. Errors: text_error.
  std::size_t parse_head(std::string_view lines);

  /// Appends the edges of `lines`, which come after the head.
  void parse_entries(std::string_view lines, std::vector<edge>& edges) const;

  /// Set once the head is complete.
  [[nodiscard]] const std::optional<matrix_header>& header() const { return header_; }

 private:
  void parse_banner(std::string_view line);
  void parse_size(std::string_view line);

  std::optional<matrix_header> header_;
  matrix_header promised_;  // what the banner says, until the size line completes it
  bool banner_seen_ = false;
};

}  // namespace far::apps
