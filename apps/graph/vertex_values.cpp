#include "apps/graph/vertex_values.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "apps/common/input_error.hpp"
#include "apps/graph/shared_output.hpp"
#include "far/base/error.hpp"

namespace far::apps {

std::uint64_t vertex_with_id(world& world, const local_graph& graph, std::int64_t id,
                             const std::string& graph_name) {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  const auto at = std::ranges::lower_bound(graph.ids, id);
  const bool is_own = at != graph.ids.end() && *at == id;
  const std::uint64_t mine =
      is_own ? graph.first(world.rank()) + static_cast<std::uint64_t>(at - graph.ids.begin())
             : none;
  const std::uint64_t found = allreduce(world, mine, minimum());
  if (found != none) return found;
  throw bad_argument(
      fmt::format("{} has no vertex {}: --source is the id of one", shown_name(graph_name), id));
}

value_text id_text_of(world& world, const local_graph& graph,
                      const std::vector<std::uint64_t>& labels) {
  array<std::int64_t> all(world, graph.vertices);
  all.put(graph.first(world.rank()), graph.ids);
  barrier(world);
  std::vector<std::int64_t> ids = all.get_many(labels);
  barrier(world);
  return [ids = std::move(ids)](std::size_t i) { return std::to_string(ids[i]); };
}

written_file write_values(world& world, const local_graph& graph, const std::string& path,
                          const std::function<std::string(std::size_t)>& value_of) {
  std::string lines;
  for (std::size_t i = 0; i < graph.own(); ++i) {
    lines += fmt::format("{} {}\n", graph.ids[i], value_of(i));
  }
  const std::uint64_t bytes = lines.size();
  shared_output output(world, path);
  output.write(exclusive_scan(world, bytes, std::uint64_t{0}), lines);
  output.finish();
  return {graph.vertices, allreduce(world, bytes)};
}

}  // namespace far::apps
