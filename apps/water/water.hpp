#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/water/model.hpp"
#include "apps/water/options.hpp"
#include "far/far.hpp"

namespace far::apps::water {

/// The result of far-water.
struct result {
  command asked;
  int ranks = 1;
  std::vector<energies> steps;  ///< after 0, 1, ... steps; on rank 0
  double seconds = 0;           ///< of all steps, on rank 0
  std::string verdict;          ///< result of the verification, on rank 0
};

/// Collective: simulates by velocity Verlet. Each thread of each rank has equally many molecules,
/// which are objects of its rank. Rank 0 shows progress on a terminal. If asked to verify, rank 0
/// simulates a second time, alone.
/// Errors: out_of_memory; far::error if the sequential energies differ.
result simulate(world& world, const command& asked);

}  // namespace far::apps::water
