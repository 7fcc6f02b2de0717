#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/count/frequent.hpp"
#include "apps/count/options.hpp"
#include "far/far.hpp"

namespace far::apps {

/// The result of far-count.
struct count_result {
  std::uint64_t total = 0;
  std::uint64_t distinct = 0;
  std::vector<counted_item> top;  ///< on rank 0
  double seconds = 0;             ///< reading and counting, without the verification
  std::string verdict;            ///< result of the verification, on rank 0
};

/// Collective: counts the items of the files in a hash_map over all ranks; each rank reads its part
/// of each file. Rank 0 shows progress on a terminal. If asked to verify, rank 0 counts a second
/// time, alone, with all items in its own memory.
/// Errors: input_error on the rank that reads the faulty part, which ends the job; far::error if
/// the sequential counts differ.
count_result count(world& world, const command& asked);

}  // namespace far::apps
