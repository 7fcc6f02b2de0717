#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/graph/build.hpp"

namespace far::apps {

/// What the command line asks for.
struct command {
  bool pagerank = false;
  bool components = false;
  std::string file;
  graph_options graph;
  double damping = 0.85;
  double tolerance = 1e-10;
  int most_iterations = 200;
  std::size_t top = 10;
  bool verify = false;
  bool json = false;
};

/// Reads the command line; nothing when it asked for help or the version, whose text then is in
/// `answer`. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps
