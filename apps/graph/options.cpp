#include "apps/graph/options.hpp"

#include "apps/common/command_line.hpp"

namespace far::apps {
namespace {

void add_graph_options(CLI::App& app, command& c) {
  app.add_option("FILE", c.file,
                 "SNAP text edge list or Matrix Market file, plain or packed by gzip or xz")
      ->required();
  app.add_flag("--undirected", c.graph.undirected, "treat each line as an edge both ways");
  app.add_flag("--keep-duplicates", c.graph.keep_duplicates, "count each of several equal edges");
  app.add_flag("--keep-loops", c.graph.keep_loops, "keep edges from a vertex to itself");
  app.add_flag("--verify", c.verify, "compute once more, sequentially, and compare");
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

}  // namespace

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  CLI::App app{"PageRank and connected components of a graph, distributed over the ranks of a job"};
  name_program(app, "far-graph");
  app.require_subcommand(1);
  CLI::App* const pagerank = app.add_subcommand("pagerank", "rank vertices by their in-edges");
  CLI::App* const components = app.add_subcommand("components", "count weakly connected parts");
  CLI::App* const summary = app.add_subcommand("summary", "both of them");
  for (CLI::App* const one : {pagerank, components, summary}) add_graph_options(*one, c);
  for (CLI::App* const one : {pagerank, summary}) add_pagerank_options(*one, c);
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  c.pagerank = !components->parsed();
  c.components = !pagerank->parsed();
  return c;
}

}  // namespace far::apps
