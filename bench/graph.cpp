// The computations of far-graph on two ranks, compared with the GAP Benchmark Suite and with plain
// programs of two threads, on the same graph in the same files.

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/progress.hpp"
#include "apps/graph/reader.hpp"
#include "bench/baselines/csr_bfs.hpp"
#include "bench/baselines/gapbs.hpp"
#include "bench/far_graph.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"
#include "far/base/random.hpp"

namespace far::bench {
namespace {

using words = std::vector<std::string>;

constexpr unsigned threads = 2;
constexpr const char* suite = "GAPBS";

/// An undirected R-MAT graph of 2^scale vertices and 16 edges for each, before equal ones are
/// dropped, in files and in memory.
struct test_graph {
  explicit test_graph(int scale) {
    run_far_graph({"convert", "--undirected", "--rmat", std::to_string(scale), plain});
    run_far_graph({"convert", plain, text});
    edge_list arcs;
    temporary_file weighted_text;
    fmt::memory_buffer lines;
    base::random next(1);
    for (const apps::edge& e : apps::read_whole_graph(text).edges) {
      const auto from = static_cast<std::uint32_t>(e.from), to = static_cast<std::uint32_t>(e.to);
      arcs.insert(arcs.end(), {{from, to}, {to, from}});
      // As in the suite, weights are 1 to 255.
      fmt::format_to(std::back_inserter(lines), "{} {} {}\n", from, to, 1 + next.below(255));
      text_vertices = std::max<std::uint64_t>({text_vertices, from + 1u, to + 1u});
    }
    weighted_text.write({lines.data(), lines.size()});
    run_far_graph({"convert", "--undirected", weighted_text.path(), weighted});
    csr = make_csr(std::move(arcs), 1u << scale);
    const auto& degrees = csr.out_degree;
    source = static_cast<std::uint32_t>(std::ranges::max_element(degrees) - degrees.begin());
  }

  temporary_folder folder;
  std::string plain = folder.file("graph.sg");
  std::string weighted = folder.file("graph.wsg");
  std::string text = folder.file("graph.el");
  std::uint64_t text_vertices = 0;  ///< one more than the largest number there
  csr_graph csr;
  std::uint32_t source = 0;  ///< the vertex with the most edges
};

/// Runs a plain program, and checks that far-graph's result is the same. Returns nanoseconds.
using plain_program = std::function<double(const test_graph& graph, const nlohmann::json& ours)>;

double plain_pagerank(const test_graph& graph, const nlohmann::json& ours) {
  const pagerank_result result = csr_pagerank(graph.csr, threads);
  check_number(ours, "edges", graph.csr.sources.size() / 2);
  check_top_rank(ours, result);
  return result.ns_per_iteration;
}

double plain_bfs(const test_graph& graph, const nlohmann::json& ours) {
  const bfs_result result = csr_bfs(graph.csr, graph.source, threads);
  check_number(ours, "reached", result.reached);
  check_number(ours, "depth", result.depth);
  return result.ns;
}

struct computation {
  std::string command;  ///< of far-graph
  std::string seconds;  ///< the key of its time
  words options = {};
  bool weighted = false;
  bool from_source = false;
  std::string peer = {};  ///< the program of the suite, if it has one
  words peer_options = {};
  int peer_iterations = 1;  ///< of a trial
  plain_program plain = {};
  goal wanted = {};
};

/// Those that the far-graph at hand has.
std::vector<computation> known_computations() {
  // The suite's `pr` stops at a tolerance of its own, with floats: so compare an iteration.
  std::vector<computation> result = {
      {.command = "pagerank",
       .seconds = "seconds_per_iteration",
       .options = {"--top", "1"},
       .peer = "pr",
       .peer_options = {"-i", "20", "-t", "0"},
       .peer_iterations = 20,
       .plain = plain_pagerank,
       .wanted = {.max_ratio = 1 / 0.7}},
      {.command = "bfs",
       .seconds = "seconds_bfs",
       .from_source = true,
       .peer = "bfs",
       .plain = plain_bfs},
      {.command = "components",
       .seconds = "seconds_components",
       .peer = "cc",
       .wanted = {.max_peer_ratio = 1 / 0.4}},
      {.command = "sssp",
       .seconds = "seconds_sssp",
       .weighted = true,
       .from_source = true,
       .peer = "sssp",
       .peer_options = {"-d", "2"}},
      {.command = "triangles", .seconds = "seconds_triangles", .peer = "tc"},
      {.command = "bc", .seconds = "seconds_bc", .from_source = true, .peer = "bc"},
      {.command = "cores", .seconds = "seconds_cores"}};
  std::erase_if(result, [](const computation& c) { return !far_graph_knows(c.command); });
  return result;
}

words peers_of(const std::vector<computation>& computations) {
  words result;
  for (const computation& c : computations) {
    if (!c.peer.empty()) result.push_back(c.peer);
  }
  return result;
}

/// The times of one row, of all rounds.
struct times {
  std::vector<double> ours, plain, peer;

  [[nodiscard]] row as_row(const std::string& name, const goal& wanted) const {
    row result{name, median(ours)};
    if (!plain.empty()) result.limit_ns = median(plain);
    if (!peer.empty()) result.peers[suite] = median(peer);
    result.wanted = wanted;
    return result;
  }
};

void measure(const computation& c, const test_graph& graph, const gapbs& peers, times& found) {
  const std::string& file = c.weighted ? graph.weighted : graph.plain;
  const std::string source = std::to_string(graph.source);
  words line = {c.command};
  line.insert(line.end(), c.options.begin(), c.options.end());
  if (c.from_source) line.insert(line.end(), {"--source", source});
  line.push_back(file);
  const nlohmann::json ours = run_far_graph(line);
  found.ours.push_back(ours.at(c.seconds).get<double>() * 1e9);
  if (c.plain) found.plain.push_back(c.plain(graph, ours));
  if (!peers.has(c.peer)) return;
  words peer_line = {"-f", file, "-n", "3"};
  peer_line.insert(peer_line.end(), c.peer_options.begin(), c.peer_options.end());
  if (c.from_source) peer_line.insert(peer_line.end(), {"-r", source});
  for (const double ns : peers.run(c.peer, peer_line, ours.at("vertices"))) {
    found.peer.push_back(ns / c.peer_iterations);
  }
}

/// From the start of the programs to their end, with a text file.
void measure_from_text(const test_graph& graph, const gapbs& peers, times& found) {
  double start = now_ns();
  run_far_graph({"components", "--undirected", graph.text});
  found.ours.push_back(now_ns() - start);
  if (!peers.has("cc")) return;
  start = now_ns();
  peers.run("cc", {"-s", "-n", "1", "-f", graph.text}, graph.text_vertices);
  found.peer.push_back(now_ns() - start);
}

report measure_graph(const settings& chosen) {
  const int scale = chosen.quick ? 10 : 18;
  const std::uint64_t rounds = chosen.quick ? 1 : 5;
  report result;
  result.measured = fmt::format(
      "graph: far-graph on 2 ranks, on an undirected R-MAT graph of scale {}, 16 edges per vertex. "
      "Limit: plain\nprograms of 2 threads on compressed rows. Peer: the GAP Benchmark Suite with "
      "2 threads on the same files,\n3 trials in a row. Medians of {} runs, in turn.",
      scale, rounds);
  if (!has_far_graph()) {
    result.remarks.emplace_back("far-graph is not in the folder of far: nothing to measure.");
    return result;
  }
  const std::vector<computation> computations = known_computations();
  const gapbs peers(peers_of(computations));
  result.remarks = peers.remarks();
  apps::progress_bar bar("graph");
  bar.update(0, rounds, "making the graph");
  const test_graph graph(scale);
  std::vector<times> found(computations.size());
  times from_text;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < computations.size(); ++i) {
      bar.update(round, rounds, computations[i].command);
      measure(computations[i], graph, peers, found[i]);
    }
    bar.update(round, rounds, "from text");
    measure_from_text(graph, peers, from_text);
  }
  for (std::size_t i = 0; i < computations.size(); ++i) {
    const computation& c = computations[i];
    const std::string name = c.command == "pagerank" ? "pagerank, an iteration" : c.command;
    result.rows.push_back(found[i].as_row(name, c.wanted));
  }
  result.rows.push_back(from_text.as_row("components, from text to result", {}));
  return result;
}

const benchmark registered("graph", "far-graph on 2 ranks, against the GAP Benchmark Suite",
                           measure_graph);

}  // namespace
}  // namespace far::bench
