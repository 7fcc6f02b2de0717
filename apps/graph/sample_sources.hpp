#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Collective: `count` different vertices with outgoing arcs, or all if there are fewer: ascending,
/// and for every number of ranks the same. Each set of them is as likely as any other, by `seed`.
/// `graph` must have its outgoing arcs.
/// Cost: a scan, and an allreduce of as many numbers.
/// Source: algorithm F2 of R. Floyd in J. Bentley, Programming pearls: a sample of brilliance,
/// 1987. Checked by: distributed_betweenness_test.samples_do_not_depend_on_ranks
[[nodiscard]] std::vector<std::uint64_t> sample_sources(world& world, const local_graph& graph,
                                                        std::uint64_t count, std::uint64_t seed);

}  // namespace far::apps
