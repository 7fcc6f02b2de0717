#pragma once
// Measures the costs of large and of many transfers (bulk_costs.hpp).

#include "far/base/function_ref.hpp"
#include "far/model/distance.hpp"
#include "far/world/world.hpp"

namespace far::model {

/// Collective: fills in the bulk costs of each distance that `costs` has, the same on all ranks.
/// Ranks measure at the same time, each with the next rank at that distance. Calls tell(name)
/// before each kind of cost.
/// Checked by: measure_test.bulk_costs_are_those_of_the_profile
void measure_bulk(const world& world, costs_by_distance& costs,
                  base::function_ref<void(std::string_view)> tell);

}  // namespace far::model
