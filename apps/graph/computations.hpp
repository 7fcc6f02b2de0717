#pragma once
// The commands of far-graph that compute.

#include <memory>
#include <span>
#include <string>

#include "apps/graph/computation.hpp"

namespace far::apps {

// Each in the file NAME_command.cpp.
[[nodiscard]] std::unique_ptr<computation> make_pagerank();
[[nodiscard]] std::unique_ptr<computation> make_components();
[[nodiscard]] std::unique_ptr<computation> make_bfs();
[[nodiscard]] std::unique_ptr<computation> make_sssp();
[[nodiscard]] std::unique_ptr<computation> make_communities();
[[nodiscard]] std::unique_ptr<computation> make_triangles();
[[nodiscard]] std::unique_ptr<computation> make_clustering();
[[nodiscard]] std::unique_ptr<computation> make_cores();
[[nodiscard]] std::unique_ptr<computation> make_bc();

struct computing_command {
  std::string name;
  std::string help;
  /// In the order of their results.
  std::vector<std::unique_ptr<computation> (*)()> parts;
};

/// In the order of the help text.
[[nodiscard]] std::span<const computing_command> computing_commands();

}  // namespace far::apps
