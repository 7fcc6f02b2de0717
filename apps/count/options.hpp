#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/count/fasta.hpp"

namespace far::apps {

enum class item_kind : std::uint8_t { words, kmers };

/// The request of the command line.
struct command {
  item_kind items = item_kind::words;
  std::vector<std::string> files = {};
  kmer_rules kmers = {};
  std::size_t top = 10;
  bool verify = false;
  bool json = false;
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps
