#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/count/frequent.hpp"
#include "apps/count/options.hpp"
#include "far/far.hpp"

namespace far::apps {

/// What far-count found.
struct count_result {
  std::uint64_t total = 0;
  std::uint64_t distinct = 0;
  std::vector<counted_item> top;  ///< on rank 0
  double seconds = 0;             ///< reading and counting, without the verification
  std::string verdict;            ///< of the verification, on rank 0
};

/// Collective: counts the items of the files, each rank those of its parts, in a hash_map over
/// all ranks. Rank 0 shows progress on a terminal, and verifies, if asked to: then it counts once
/// more, alone, with all items in its own memory.
/// Errors: input_error, on the rank whose part it is, and the job then ends; far::error when the
/// sequential counts differ.
count_result count(world& world, const command& asked);

}  // namespace far::apps
