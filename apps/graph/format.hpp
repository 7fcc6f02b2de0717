#pragma once
// The formats of graph files, and how a file's format is chosen.

#include <cstdint>
#include <span>
#include <string>

#include "apps/common/choice_option.hpp"

namespace far::apps {

enum class graph_format : std::uint8_t {
  automatic,            ///< by the file's name, else by its first bytes
  edges,                ///< an edge a line (snap.hpp)
  matrix_market,        ///< matrix_market.hpp
  dimacs,               ///< shortest paths of the DIMACS challenge (dimacs.hpp)
  metis,                ///< a vertex's neighbours a line (metis.hpp)
  ldbc,                 ///< LDBC Graphalytics: NAME.v and NAME.e (ldbc.hpp)
  serialized,           ///< GAPBS' .sg (serialized.hpp)
  weighted_serialized,  ///< GAPBS' .wsg
};

/// The names of the formats on the command line.
[[nodiscard]] std::span<const choice<graph_format>> graph_formats();

/// The format that the end of a file's name says, also before .gz or .xz; automatic if none.
[[nodiscard]] graph_format format_of_name(const std::string& path);

[[nodiscard]] constexpr bool is_serialized(graph_format format) {
  return format == graph_format::serialized || format == graph_format::weighted_serialized;
}

}  // namespace far::apps
