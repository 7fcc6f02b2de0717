#pragma once
// Measures the costs of components on the fabric of a job.

#include <functional>
#include <string_view>

#include "far/model/distance.hpp"
#include "far/world/world.hpp"

namespace far::model {

/// Called before step `step` of a measurement, 0 .. steps-1, for a progress display.
using step_watcher = std::function<void(int step, int steps, std::string_view what)>;

/// Collective: measures the cost of each component at each distance that ranks of the job have.
/// Every rank issues one operation at a time, to random words of random ranks. All ranks return the
/// same. Operations are the public ones, blocking, on words of 8 bytes. A message carries a
/// word, and its handler adds to a hash table; ranks that wait are attentive. For A_hot, all ranks
/// perform a fetch_add on one word of one rank, each at its distance from that rank. A_cas* is the
/// time that a rank repeats a compare-and-swap until it is its turn, where all claim turns by a
/// fetch_add of another word, as in a queue. `l` is an addition to a random word of the rank's own
/// memory.
///
/// Each cost is the median over several rounds of the mean over the ranks. In a simulation the time
/// is virtual.
///
/// Cost: 0.1 to 1 s where ranks have a core each; 260 KB of each symmetric heap meanwhile.
/// Threads: one of each rank, with nothing else in flight.
/// Errors: bad_argument in a simulation without a profile, which has no time; out_of_memory;
///   rank_failed.
/// Source: A1 of rdma-vs-rpc, section III.A.
/// Checked by: measure_test.simulated_components_cost_what_the_profile_says,
/// measure_test.every_component_of_a_machine_takes_time
[[nodiscard]] costs_by_distance measure(const world& world, const step_watcher& watcher = {});

}  // namespace far::model
