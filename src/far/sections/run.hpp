#pragma once
// Runs plans: checks them, chooses the protocol, and starts it.

#include <cstddef>
#include <vector>

#include "far/rma/future.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/plan.hpp"
#include "far/sections/protocol.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// One operation and how to perform it.
struct order {
  section_operation operation;
  section_protocol wanted = section_protocol::automatic;
  scaling how = {};                   ///< of accumulates
  std::size_t element_alignment = 1;  ///< of accumulates
};

/// Errors: bad_argument, out_of_bounds before anything starts.
[[nodiscard]] future<void> start(const world& world, const order& what, const plan& of);
/// Returns when it is complete.
void run(const world& world, const order& what, const plan& of);
/// The same for one plan for each rank.
[[nodiscard]] future<void> start(const world& world, const order& what,
                                 const std::vector<plan>& of);
void run(const world& world, const order& what, const std::vector<plan>& of);

}  // namespace far::sections
