#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace far::apps::kv {

/// The request of the command line. The names in brackets are memcached's options.
struct command {
  int port = 11211;                                    ///< -p; 0: a free one
  std::vector<std::string> addresses = {"127.0.0.1"};  ///< -l: a host, or host:port
  std::string socket_path = {};                        ///< -s: instead of a port
  unsigned socket_mode = 0700;                         ///< -a
  int threads = 0;                                     ///< -t, per rank; 0: by the number of ranks
  int max_connections = 1024;                          ///< -c, of a machine
  int commands_per_turn = 0;                           ///< -R; 0: all that have arrived
  std::string auth_file = {};                          ///< -Y: users and their passwords
  char prefix_end = ':';                               ///< -D: of what stats detail counts
  bool counts_prefixes = false;                        ///< -D
  int idle_timeout = 0;                                ///< --idle-timeout: seconds; 0: none
  int backlog = 1024;                                  ///< -b
  std::uint64_t memory_bytes = std::uint64_t{64} << 20;   ///< -m, of the job
  std::uint64_t max_item_bytes = std::uint64_t{1} << 20;  ///< -I
  bool evicts = true;                                     ///< not -M
  bool uses_cas = true;                                   ///< not -C
  bool may_flush = true;                                  ///< not -F
  bool may_shut_down = false;                             ///< -A
  int verbosity = 0;                                      ///< -v
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: usage_error, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps::kv
