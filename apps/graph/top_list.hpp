#pragma once
// The vertices of largest value, as a report shows them.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/graph/load.hpp"
#include "apps/graph/top.hpp"
#include "far/far.hpp"

namespace far::apps {

struct top_list {
  std::vector<top_vertex> vertices;
  std::vector<std::string> names;  ///< one each; empty for a vertex that the file does not name

  /// A table with this heading over the values, which `format` of fmt writes; empty if it would
  /// have no rows.
  [[nodiscard]] std::string table(std::string_view heading, std::string_view format) const;
  /// An array of objects with `id`, the value under `key`, and `name` if there is one.
  [[nodiscard]] nlohmann::ordered_json json(std::string_view key) const;
};

/// Collective: the k vertices of largest value, with their names.
[[nodiscard]] top_list top_list_of(world& world, const loaded_graph& loaded,
                                   const std::vector<double>& values, std::size_t k);

}  // namespace far::apps
