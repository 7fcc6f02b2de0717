#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/common/object_protocol.hpp"

namespace far::apps::water {

/// The request of the command line.
struct command {
  std::uint64_t molecules = 512;  ///< a cube
  std::uint64_t steps = 10;
  std::uint64_t seed = 1;
  int threads = 1;  ///< of each rank
  object_protocol protocol = object_protocol::automatic;
  bool verify = false;
  bool json = false;
  /// In a simulation: nanoseconds that a pair of molecules takes. Not on the command line.
  double pair_ns = 0;
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps::water
