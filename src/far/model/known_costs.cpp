#include "far/model/known_costs.hpp"

#include "far/model/costs_file.hpp"

namespace far::model {

known_costs::known_costs(std::string_view fabric, const std::string& path) : path_(path) {
  const costs_of_fabrics all = read_costs(path);
  const costs_by_distance& built_in = built_in_costs(fabric);
  const costs_by_distance& similar = built_in_costs(most_similar(fabric));
  const auto measured = all.find(fabric);
  for (std::size_t d = 0; d < distances; ++d) {
    const bool is_measured = measured != all.end() && measured->second[d];
    const auto& best = is_measured ? measured->second[d] : built_in[d];
    known_[d] = best.has_value();
    costs_[d] = best ? *best : *similar[d];
    // Files that were written before large transfers were measured do not have them.
    if (costs_[d].bulk.of(bulk_cost::put_byte) == 0) {
      costs_[d].bulk = built_in_bulk_costs(fabric, static_cast<distance>(d));
    }
  }
}

known_costs::known_costs(rank_state& state)
    : known_costs(state.fabric().name(), costs_file_path()) {}

const known_costs& costs_of(const world& world) { return world.state().get<known_costs>(); }

const component_costs& costs_of(const world& world, int rank) {
  return costs_of(world).of(distance_to(world, rank));
}

const bulk_costs& bulk_costs_of(const world& world, int rank) {
  return costs_of(world).bulk_of(distance_to(world, rank));
}

}  // namespace far::model
