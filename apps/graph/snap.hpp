#pragma once
// SNAP text edge lists: one line per edge, `FROM TO`, with signed 64-bit ids separated by blanks or
// tabs. Blank lines, and lines that start with # or %, are comments. Up to two more numbers on a
// line (a weight or sign, and a time, as in files of SNAP and KONECT) are checked; the first of
// them is the edge's weight, if weights are wanted. A comment `# vertex ID NAME` names a vertex; it
// does not add one.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps {

/// A longer line is an error: the file is probably not text.
inline constexpr std::size_t longest_graph_line = std::size_t{1} << 20;

/// Appends the edges of `lines`, which must be whole: the text is empty or ends with a newline.
/// Threads: reentrant. Errors: text_error.
void parse_snap(std::string_view lines, std::vector<edge>& edges, const name_callback& on_name);

/// The same with weights, for a file whose edges have weights (`weighted`), or none.
/// Errors: text_error, also for an edge without a weight in the one case, with one in the other.
void parse_weighted_snap(std::string_view lines, bool weighted, weight_sign allowed,
                         std::vector<edge>& edges, std::vector<double>& weights,
                         const name_callback& on_name);

/// Whether the first edge of `lines` has a third column; nothing if there is no edge.
[[nodiscard]] std::optional<bool> first_edge_is_weighted(std::string_view lines);

}  // namespace far::apps
