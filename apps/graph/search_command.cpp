#include "apps/graph/search_command.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/command_line.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/engine_options.hpp"
#include "apps/graph/vertex_values.hpp"

namespace far::apps {

void search_command::add_options(CLI::App& app) {
  add_whole_number(
      app, "--source", [this](std::int64_t id) { source_id_ = id; }, "id of the vertex to begin at")
      ->required();
  add_engine_options(app, engine_);
}

void search_command::run(world& world, const loaded_graph& loaded, const std::string& graph_name) {
  source_ = vertex_with_id(world, loaded.graph, source_id_, graph_name);
  search(world, loaded.graph);
}

std::string search_command::lines_of(std::uint64_t reached, const std::string& last,
                                     const engine_rounds& rounds, double seconds) const {
  return summary_line("reached", fmt::format("{} vertices, the last at {}", reached, last)) +
         summary_line("rounds", fmt::format("{} pulled, {} pushed", rounds.pulled, rounds.pushed)) +
         engine_line(engine_) + summary_line("search took", duration_text(seconds));
}

void search_command::add_rounds(nlohmann::ordered_json& object, const engine_rounds& rounds) const {
  add_engine(object, engine_);
  object["rounds_pulled"] = rounds.pulled;
  object["rounds_pushed"] = rounds.pushed;
}

}  // namespace far::apps
