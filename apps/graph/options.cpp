#include "apps/graph/options.hpp"

#include "apps/common/choice_option.hpp"
#include "apps/common/command_line.hpp"
#include "apps/graph/convert.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

void add_graph_options(CLI::App& app, command& c, rmat_settings& r) {
  app.add_option("FILE", c.source.file, "the graph; man far-graph lists the formats");
  add_choice_option(app, "--format", graph_formats(), c.source.format, "the file's format");
  app.add_option("--rmat", r.scale, "instead of FILE: generate an R-MAT graph of 2^SCALE vertices")
      ->check(number_between(0, rmat_settings::max_scale));
  app.add_option("--edge-factor", r.edge_factor, "edges per vertex of --rmat")
      ->capture_default_str()
      ->check(number_between(1, static_cast<double>(rmat_settings::max_edge_factor)));
  app.add_option("--seed", r.seed, "another graph of --rmat")
      ->capture_default_str()
      ->check(number_between(0, 1e18));
  app.add_flag("--undirected", c.graph.undirected, "treat each line as an edge both ways");
  app.add_flag("--keep-duplicates", c.graph.keep_duplicates, "count each of several equal edges");
  app.add_flag("--keep-loops", c.graph.keep_loops, "keep edges from a vertex to itself");
  app.add_flag("--json", c.json, "print the result as JSON");
}

void add_pagerank_options(CLI::App& app, command& c) {
  app.add_option("--damping", c.damping, "probability of following an edge")
      ->capture_default_str()
      ->check(number_between(0, 1));
  app.add_option("--tolerance", c.tolerance, "stop when an iteration changes the ranks by less")
      ->capture_default_str()
      ->check(number_between(0, 1e9));
  app.add_option("--iterations", c.max_iterations, "max number of iterations")
      ->capture_default_str()
      ->check(number_between(1, 1e9));
  app.add_option("--top", c.top, "number of vertices of largest rank to print")
      ->capture_default_str()
      ->check(number_between(0, 1e9));
}

[[noreturn]] void refuse(const std::string& what) {
  throw usage_error("far-graph: " + what + "; see far-graph --help");
}

/// Either a file or a generator is given, and options that go with it.
void check_source(const CLI::App& chosen, command& c, const rmat_settings& r) {
  const auto given = [&](const char* option) { return chosen.count(option) > 0; };
  if (given("--rmat")) {
    if (!c.source.file.empty())
      refuse("--rmat generates a graph, so FILE is not read: give one of them");
    if (given("--format")) refuse("--format is that of a file: leave it out, or --rmat");
    c.source.rmat = r;
    return;
  }
  if (c.source.file.empty()) refuse("FILE is required, or --rmat SCALE");
  if (given("--edge-factor") || given("--seed")) {
    refuse("--edge-factor and --seed describe the graph of --rmat: give --rmat SCALE");
  }
}

}  // namespace

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  rmat_settings r;
  CLI::App app{"PageRank, components and searches of a graph, distributed over the ranks of a job"};
  name_program(app, "far-graph");
  app.require_subcommand(1);
  CLI::App* const pagerank = app.add_subcommand("pagerank", "rank vertices by their in-edges");
  CLI::App* const components = app.add_subcommand("components", "count weakly connected parts");
  CLI::App* const summary = app.add_subcommand("summary", "both of them");
  CLI::App* const bfs = app.add_subcommand("bfs", "search breadth-first from a vertex");
  CLI::App* const sssp = app.add_subcommand("sssp", "find shortest paths from a vertex");
  CLI::App* const communities =
      app.add_subcommand("communities", "find communities by label propagation");
  CLI::App* const convert = app.add_subcommand("convert", "write the graph to another file");
  for (CLI::App* const one : {pagerank, components, summary, bfs, sssp, communities, convert})
    add_graph_options(*one, c, r);
  for (CLI::App* const one : {pagerank, components, summary, bfs, sssp, communities}) {
    one->add_flag("--verify", c.verify, "compute once more, sequentially, and compare");
  }
  for (CLI::App* const one : {pagerank, summary}) add_pagerank_options(*one, c);
  for (CLI::App* const one : {bfs, sssp}) {
    one->add_option("--source", c.from, "id of the vertex to begin at")->required();
  }
  for (CLI::App* const one : {bfs, sssp, communities}) {
    one->add_option("--output", c.output, "file to write: a line `ID VALUE` for each vertex");
  }
  communities->add_option("--iterations", c.rounds, "max number of iterations")
      ->capture_default_str()
      ->check(number_between(0, 1e9));
  convert->add_option("OUTPUT", c.output, "file to write: .sg, .wsg, .el or .wel");
  convert->add_flag("--renumber", c.renumber, "number vertices by the order of their ids");
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  if (convert->parsed()) {
    // A generated graph has no FILE, so the only name is that of the output.
    if (convert->count("--rmat") > 0 && c.output.empty()) c.output.swap(c.source.file);
    if (c.output.empty()) refuse("OUTPUT is required");
    (void)output_format_of(c.output);
  }
  check_source(*app.get_subcommands().front(), c, r);
  c.pagerank = pagerank->parsed() || summary->parsed();
  c.components = components->parsed() || summary->parsed();
  c.bfs = bfs->parsed();
  c.sssp = sssp->parsed();
  c.communities = communities->parsed();
  return c;
}

}  // namespace far::apps
