// far-graph: computations on a real graph, on one rank or many; and conversion of its file.

#include <string>

#include "apps/common/program.hpp"
#include "apps/graph/convert.hpp"
#include "apps/graph/load.hpp"
#include "apps/graph/options.hpp"
#include "apps/graph/report.hpp"
#include "apps/graph/verify.hpp"
#include "apps/graph/vertex_values.hpp"
#include "far/far.hpp"

namespace far::apps {
namespace {

load_options needs_of(const command& asked) {
  load_options all{.read_twice = asked.verify};
  for (const auto& one : asked.computations) {
    const load_options needs = one->needs();
    all.weights |= needs.weights;
    all.outgoing |= needs.outgoing;
    if (needs.allowed != weight_sign::any) all.allowed = needs.allowed;
  }
  if (asked.computations.empty()) {
    all.weights = has_weights(output_format_of(asked.output));
    all.outgoing = true;
  }
  return all;
}

written_file convert(world& world, const command& asked, const loaded_graph& loaded) {
  const id_rule rule{loaded.first_id, asked.renumber};
  return write_graph(world, loaded.graph, asked.output, output_format_of(asked.output), rule);
}

std::string run_command(world& world, const command& asked) {
  const loaded_graph loaded = read_graph(world, asked.source, asked.graph, needs_of(asked));
  const local_graph& graph = loaded.graph;
  const std::string name = asked.source.rmat ? "the generated graph" : asked.source.file;
  report r{asked.computations, graph.vertices, graph.edges};
  for (const auto& one : asked.computations) one->run(world, loaded, name);
  if (!asked.output.empty()) {
    r.output = asked.output;
    r.written = asked.computations.empty()
                    ? convert(world, asked, loaded)
                    : write_values(world, graph, asked.output,
                                   asked.computations.front()->values(world, graph));
  }
  if (asked.verify) r.verdict = verify(world, asked, graph);
  return asked.json ? as_json(r) : as_text(r);
}

}  // namespace
}  // namespace far::apps

int main(int argc, char** argv) {
  far::apps::run_program(argc, argv, far::apps::parse_command, far::apps::run_command);
}
