#pragma once
// Measures loads on many ranks at once.

#include <string>
#include <vector>

#include "bench/scaling/load.hpp"

namespace far::bench::scaling {

/// What all ranks have done together.
struct pace {
  std::string load;
  double ns = 0;                ///< per operation of each rank, until all ranks have done theirs
  double longest_in_means = 0;  ///< the longest operation of any rank, in means of all
};

struct paces {
  std::vector<pace> all = {};
  std::string trouble = {};  ///< why there are none; empty if there are
};

/// Measures on that many ranks, in a process of its own, which is ended after `limit_s` seconds:
/// ranks that are stuck keep nobody.
/// Errors: std::system_error if no process can be created.
[[nodiscard]] paces paces_of(const job& what, int ranks, const effort& how, int limit_s);

}  // namespace far::bench::scaling
