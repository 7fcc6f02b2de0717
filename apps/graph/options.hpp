#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "apps/graph/build.hpp"
#include "apps/graph/load.hpp"

namespace far::apps {

/// The request of the command line.
struct command {
  bool pagerank = false;
  bool components = false;
  bool bfs = false;
  bool sssp = false;
  bool communities = false;
  int rounds = 10;        ///< of communities, at most
  std::int64_t from = 0;  ///< of bfs and sssp: the id of the source
  graph_source source;
  graph_options graph;
  double damping = 0.85;
  double tolerance = 1e-10;
  int max_iterations = 200;
  std::size_t top = 10;
  bool verify = false;
  bool json = false;
  std::string output;     ///< of convert; else, if what is found is to be written
  bool renumber = false;  ///< of convert
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps
