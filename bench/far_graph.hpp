#pragma once
// Runs far-graph, which is in the folder of this program.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/baselines/csr_pagerank.hpp"

namespace far::bench {

/// Whether far-graph was built and installed with this program.
[[nodiscard]] bool has_far_graph();

/// Whether it has this command, according to its help.
[[nodiscard]] bool far_graph_knows(const std::string& command);

/// Runs far-graph with these arguments on two ranks; returns its JSON output.
/// Errors: far::error if it fails.
nlohmann::json run_far_graph(const std::vector<std::string>& arguments);

/// Throws far::error if far-graph's output has another number: then the times of the two programs
/// cannot be compared.
void check_number(const nlohmann::json& ours, const char* what, std::uint64_t expected);
/// The same for the highest rank.
void check_top_rank(const nlohmann::json& ours, const pagerank_result& plain);

}  // namespace far::bench
