#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "far/kv/server.hpp"

namespace far::apps::kv {

/// The request of the command line. The names in brackets are memcached's options.
struct command {
  kv_server_options serving = {.stops_at_signals = true};
  std::uint64_t memory_bytes = std::uint64_t{64} << 20;   ///< -m, of the job
  std::uint64_t max_item_bytes = std::uint64_t{1} << 20;  ///< -I
  bool evicts = true;                                     ///< not -M
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: usage_error, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps::kv
