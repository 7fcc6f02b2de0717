#include "apps/graph/top_list.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/table.hpp"

namespace far::apps {

std::string top_list::table(std::string_view heading, std::string_view format) const {
  if (vertices.empty()) return {};
  const bool named = std::ranges::any_of(names, [](const auto& name) { return !name.empty(); });
  apps::table t;
  t.add_column("", align::right);
  t.add_column(std::string(heading), align::right);
  t.add_column(named ? "vertex" : "id", named ? align::left : align::right);
  if (named) t.add_column("id", align::right);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    std::vector<std::string> row{std::to_string(i + 1),
                                 fmt::format(fmt::runtime(format), vertices[i].value)};
    if (named) row.push_back(names[i]);
    row.push_back(std::to_string(vertices[i].id));
    t.add_row(std::move(row));
  }
  return t.text();
}

nlohmann::ordered_json top_list::json(std::string_view key) const {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    nlohmann::ordered_json one{{"id", vertices[i].id}, {std::string(key), vertices[i].value}};
    if (!names[i].empty()) one["name"] = names[i];
    list.push_back(std::move(one));
  }
  return list;
}

top_list top_list_of(world& world, const loaded_graph& loaded, const std::vector<double>& values,
                     std::size_t k) {
  top_list list{top_vertices(world, loaded.graph, values, k), {}};
  list.names = names_of(world, list.vertices, loaded.names);
  return list;
}

}  // namespace far::apps
