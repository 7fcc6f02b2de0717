#include "bench/predicted.hpp"

#include <cstddef>

#include "bench/harness/measure.hpp"
#include "far/far.hpp"

namespace far::bench {

two_process_costs measure_two_processes() {
  const shared_memory memory(sizeof(two_process_costs));
  run({.ranks = 2, .mode = job_mode::processes}, [&](world& world) {
    if (world.size() <= core_count()) take_own_core(world.rank());
    const model::costs_by_distance costs = model::measure(world);
    if (world.rank() != 0) return;
    two_process_costs& result = *memory.as<two_process_costs>();
    const model::component_costs& own = at(costs, model::distance::self).value().costs;
    const model::component_costs& other = at(costs, model::distance::same_node).value().costs;
    result.own = own;
    for (std::size_t i = 0; i < model::components; ++i) {
      result.either.ns[i] = (own.ns[i] + other.ns[i]) / 2;
    }
  });
  return *memory.as<two_process_costs>();
}

}  // namespace far::bench
