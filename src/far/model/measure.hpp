#pragma once
// What the components of operations cost on the fabric of a job.

#include <functional>
#include <string_view>

#include "far/model/distance.hpp"
#include "far/world/world.hpp"

namespace far::model {

/// Called before each step of a measurement, of so many: for who wants to see it go on.
using step_watcher = std::function<void(int step, int steps, std::string_view what)>;

/// Collective: what each component costs between ranks of each distance that the job has, every
/// rank issuing, one operation at a time, to random words of random ranks; all return the same. By
/// the public operations: words of 8 bytes, blocking forms; a message carries a word, and its
/// handler adds to a hash table; who waits is attentive. A_hot is a fetch_add of one word of one
/// rank by all, which are at their distances from that. A_cas* is what a compare-and-swap takes
/// until it is this rank's turn, where all claim turns by a fetch_add of another word, as a queue
/// has it. `l` is an addition to a random word of the rank's own memory.
///
/// What is told is the median of several rounds, of the mean over the ranks. Where a simulated
/// machine's time is measured, it is virtual.
///
/// Cost: 0.1 to 1 s where ranks have a core each; 260 KB of each symmetric heap meanwhile.
/// Threads: one of each rank, nothing else under way.
/// Errors: bad_argument in a simulation without a profile, which has no time; out_of_memory;
///   rank_failed.
/// Source: A1 of rdma-vs-rpc, section III.A.
/// Checked by: measure_test.simulated_components_cost_what_the_profile_says,
/// measure_test.every_component_of_a_machine_takes_time
[[nodiscard]] costs_by_distance measure(const world& view, const step_watcher& watcher = {});

}  // namespace far::model
