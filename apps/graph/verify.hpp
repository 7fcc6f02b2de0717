#pragma once

#include <string>

#include "apps/graph/bfs.hpp"
#include "apps/graph/communities.hpp"
#include "apps/graph/components.hpp"
#include "apps/graph/local_graph.hpp"
#include "apps/graph/options.hpp"
#include "apps/graph/pagerank.hpp"
#include "apps/graph/sssp.hpp"
#include "far/far.hpp"

namespace far::apps {

/// What has been computed; null: not.
struct computed {
  const pagerank_result* ranks = nullptr;
  const components_result* components = nullptr;
  const bfs_result* search = nullptr;
  const sssp_result* paths = nullptr;
  const communities_result* communities = nullptr;
};

/// Collective: rank 0 reads the file alone, computes sequentially, and compares with the
/// distributed results. Returns a line that states how close they are on rank 0; empty elsewhere.
/// Cost: the whole graph in the memory of rank 0.
/// Errors: far::error if ranks differ by more than 1e-9 in sum, if any label, level or distance
/// differs, or if the parents of a search are no tree.
std::string verify(world& world, const command& asked, const local_graph& graph,
                   const computed& results);

}  // namespace far::apps
