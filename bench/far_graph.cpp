#include "bench/far_graph.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/harness/program.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

constexpr int limit_s = 300;

}  // namespace

bool has_far_graph() { return std::filesystem::exists(own_folder() / "far-graph"); }

bool far_graph_knows(const std::string& command) {
  const outcome help = run_program({own_folder() / "far-graph", "--help"}, limit_s);
  return help.output.find(fmt::format("\n  {} ", command)) != std::string::npos;
}

nlohmann::json run_far_graph(const std::vector<std::string>& arguments) {
  const auto folder = own_folder();
  std::vector<std::string> line = {folder / "far", "run", "-n", "2", folder / "far-graph"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  line.emplace_back("--json");
  const outcome result = run_program(line, limit_s);
  if (result.status != 0) {
    throw error(fmt::format("far-graph {} failed: {}", arguments.front(), result.complaint()));
  }
  return nlohmann::json::parse(result.output);
}

void check_number(const nlohmann::json& ours, const char* what, std::uint64_t expected) {
  const auto found = ours.at(what).get<std::uint64_t>();
  if (found == expected) return;
  throw error(fmt::format("far-graph and the plain program disagree: {} {} against {}", found, what,
                          expected));
}

void check_top_rank(const nlohmann::json& ours, const pagerank_result& plain) {
  const auto top = ours.at("top").at(0).at("rank").get<double>();
  const double expected = *std::ranges::max_element(plain.ranks);
  if (std::abs(top - expected) <= 1e-9) return;
  throw error(
      fmt::format("far-graph and the plain program disagree: the highest rank is {} against {}",
                  top, expected));
}

}  // namespace far::bench
