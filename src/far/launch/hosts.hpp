#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "far/base/language.hpp"

namespace far::launch {

struct host {
  std::string name;
  int ranks = 0;  ///< its slots; after place_ranks, its number of ranks
};

/// Reads "a:2,b". A host without a number has one slot. Errors: bad_argument.
std::vector<host> parse_hosts(std::string_view text);

/// Places `ranks` ranks on the hosts in order, as far as each has slots, and removes hosts without
/// ranks. 0 ranks: as many as there are slots. Errors: bad_argument.
std::vector<host> place_ranks(std::vector<host> hosts, int ranks);

}  // namespace far::launch
