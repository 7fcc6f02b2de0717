// far-graph on two ranks compared with a plain program with two threads, on the same graphs.

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/progress.hpp"
#include "apps/graph/reader.hpp"
#include "bench/baselines/csr_pagerank.hpp"
#include "bench/baselines/rmat.hpp"
#include "bench/far_graph.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"

namespace far::bench {
namespace {

constexpr int scale = 18;
constexpr int edges_per_vertex = 16;
constexpr int rounds = 5;

// The file of Debian's package graph, if this program runs in its source tree.
std::optional<std::string> package_graph() {
  const auto folder = own_folder() / "../../../data";
  std::error_code none;
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = file.path().filename().string();
    if (name.starts_with("debian-") && name.ends_with(".txt.xz")) files.push_back(file.path());
  }
  if (files.empty()) return {};
  return std::filesystem::canonical(*std::ranges::max_element(files)).string();
}

edge_list read_edges(const std::string& file) {
  const apps::whole_graph whole = apps::read_whole_graph(file);
  edge_list edges;
  edges.reserve(whole.edges.size());
  for (const apps::edge& e : whole.edges) {
    edges.emplace_back(static_cast<std::uint32_t>(e.from), static_cast<std::uint32_t>(e.to));
  }
  return edges;
}

void write_edges(temporary_file& file, const edge_list& edges) {
  fmt::memory_buffer text;
  for (const auto& [from, to] : edges) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\n", from, to);
    if (text.size() < (1 << 20)) continue;
    file.write({text.data(), text.size()});
    text.clear();
  }
  file.write({text.data(), text.size()});
}

row compare(const std::string& name, const std::string& file, edge_list edges) {
  apps::progress_bar bar("pagerank: " + name);
  bar.update(0, rounds, "building the graph");
  const csr_graph graph = make_csr(std::move(edges));
  std::vector<double> ours;
  std::vector<double> plain;
  int iterations = 0;
  for (int round = 0; round < rounds; ++round) {
    bar.update(static_cast<std::uint64_t>(round), rounds);
    const auto result = run_far_graph({"pagerank", "--top", "1", file});
    ours.push_back(result.at("seconds_per_iteration").get<double>() * 1e9);
    const pagerank_result reference = csr_pagerank(graph, 2);
    plain.push_back(reference.ns_per_iteration);
    check_number(result, "vertices", graph.vertices());
    check_number(result, "edges", graph.sources.size());
    check_top_rank(result, reference);
    iterations = reference.iterations;
  }
  return {name,
          median(ours),
          median(plain),
          {},
          {.max_ratio = 1 / 0.7},
          fmt::format("{} vertices, {} edges, {} iterations", graph.vertices(),
                      graph.sources.size(), iterations)};
}

report measure_pagerank() {
  report result;
  result.measured = fmt::format(
      "pagerank: an iteration of far-graph on 2 ranks, medians of {} runs. Limit: a plain program "
      "that pulls\nalong rows (CSR) with 2 threads, the same graph in memory, doubles as well.",
      rounds);
  if (!has_far_graph()) {
    result.remarks.push_back("far-graph is not in the folder of far: nothing to measure.");
    return result;
  }
  {
    edge_list edges = rmat_edges(scale, edges_per_vertex);
    temporary_file file;
    write_edges(file, edges);
    result.rows.push_back(
        compare(fmt::format("R-MAT, scale {}", scale), file.path(), std::move(edges)));
  }
  if (const auto file = package_graph()) {
    result.rows.push_back(compare("Debian's packages", *file, read_edges(*file)));
  } else {
    result.remarks.push_back("Without Debian's package graph: it is in the source tree (data/).");
  }
  return result;
}

const benchmark registered("pagerank", "far-graph on 2 ranks, against a plain program of 2 threads",
                           measure_pagerank);

}  // namespace
}  // namespace far::bench
