#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/graph/bfs.hpp"
#include "apps/graph/communities.hpp"
#include "apps/graph/components.hpp"
#include "apps/graph/convert.hpp"
#include "apps/graph/local_graph.hpp"
#include "apps/graph/pagerank.hpp"
#include "apps/graph/sssp.hpp"
#include "apps/graph/top.hpp"

namespace far::apps {

/// The output of far-graph.
struct report {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::optional<components_result> components;
  std::optional<pagerank_result> pagerank;
  std::optional<bfs_result> bfs;
  std::optional<sssp_result> sssp;
  std::optional<communities_result> communities;
  bool weighted = false;  ///< sssp had weights
  std::vector<top_vertex> top;
  std::vector<std::string> names;  ///< of top, if the file names them
  std::string verdict;             ///< result of --verify
  std::string output;              ///< name of the file that was written
  std::optional<written_file> written;
};

[[nodiscard]] std::string as_json(const report& r);
[[nodiscard]] std::string as_text(const report& r);

}  // namespace far::apps
