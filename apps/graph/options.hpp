#pragma once

#include <optional>
#include <string>

#include "apps/graph/build.hpp"
#include "apps/graph/computation.hpp"
#include "apps/graph/load.hpp"

namespace far::apps {

/// The request of the command line.
struct command {
  computation_list computations;  ///< with their own options; none: convert
  graph_source source;
  graph_options graph;
  bool verify = false;
  bool json = false;
  std::string output;     ///< of convert; else empty, or where the values are to be written
  bool renumber = false;  ///< of convert
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps
