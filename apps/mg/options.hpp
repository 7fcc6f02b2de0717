#pragma once

#include <optional>
#include <string>

#include "apps/common/variant.hpp"

namespace far::apps::mg {

/// The request of the command line.
struct command {
  std::string problem_class = {};
  variant how = variant::one_sided;
  int rounds = 1;
  bool verify = false;
  bool json = false;
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps::mg
