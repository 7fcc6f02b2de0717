#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "far/base/language.hpp"

namespace far::launch {

struct host {
  std::string name;
  int ranks = 0;  ///< that it may have, or has
};

/// Reads "a:2,b" (1 where no number is). Errors: bad_argument.
std::vector<host> parse_hosts(std::string_view text);

/// Gives `ranks` to the hosts in their order, as far as each has slots, and leaves out those that
/// get none; 0: as many as there are slots. Errors: bad_argument.
std::vector<host> place_ranks(std::vector<host> hosts, int ranks);

}  // namespace far::launch
