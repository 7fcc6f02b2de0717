#include "apps/graph/options.hpp"

#include <utility>
#include <vector>

#include "apps/common/choice_option.hpp"
#include "apps/common/command_line.hpp"
#include "apps/graph/computations.hpp"
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

/// A command that computes, as the command line knows it.
struct candidate {
  CLI::App* app;
  computation_list computations;
};

candidate add_computing_command(CLI::App& app, const computing_command& known, command& c,
                                rmat_settings& r) {
  candidate added{app.add_subcommand(known.name, known.help), {}};
  add_graph_options(*added.app, c, r);
  added.app->add_flag("--verify", c.verify, "compute once more, sequentially, and compare");
  for (const auto make : known.parts) {
    added.computations.push_back(make());
    added.computations.back()->add_options(*added.app);
  }
  if (known.parts.size() == 1) {
    added.app->add_option("--output", c.output, "file to write: a line `ID VALUE` for each vertex");
  }
  return added;
}

CLI::App* add_convert(CLI::App& app, command& c, rmat_settings& r) {
  CLI::App* const convert = app.add_subcommand("convert", "write the graph to another file");
  add_graph_options(*convert, c, r);
  convert->add_option("OUTPUT", c.output, "file to write: .sg, .wsg, .el or .wel");
  convert->add_flag("--renumber", c.renumber, "number vertices by the order of their ids");
  return convert;
}

void check_output(const CLI::App& convert, command& c) {
  // A generated graph has no FILE, so the only name is that of the output.
  if (convert.count("--rmat") > 0 && c.output.empty()) c.output.swap(c.source.file);
  if (c.output.empty()) refuse("OUTPUT is required");
  (void)output_format_of(c.output);
}

}  // namespace

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  rmat_settings r;
  CLI::App app{
      "PageRank, components, searches, triangles, cores and betweenness of a graph, on all ranks "
      "of a job"};
  name_program(app, "far-graph");
  app.require_subcommand(1);
  std::vector<candidate> candidates;
  for (const computing_command& known : computing_commands()) {
    candidates.push_back(add_computing_command(app, known, c, r));
  }
  const CLI::App* const convert = add_convert(app, c, r);
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  if (convert->parsed()) check_output(*convert, c);
  check_source(*app.get_subcommands().front(), c, r);
  for (candidate& one : candidates) {
    if (one.app->parsed()) c.computations = std::move(one.computations);
  }
  return c;
}

}  // namespace far::apps
