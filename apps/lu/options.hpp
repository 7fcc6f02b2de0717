#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/common/object_protocol.hpp"

namespace far::apps::lu {

/// The request of the command line.
struct command {
  std::uint64_t n = 1024;    ///< rows and columns of the matrix
  std::uint64_t block = 64;  ///< rows and columns of a block
  std::uint64_t seed = 1;
  int threads = 1;  ///< of each rank
  object_protocol protocol = object_protocol::automatic;
  bool verify = false;
  bool json = false;
  /// In a simulation: nanoseconds that a floating-point operation takes. Not on the command line.
  double flop_ns = 0;
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps::lu
