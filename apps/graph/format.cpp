#include "apps/graph/format.hpp"

#include <array>
#include <string_view>

namespace far::apps {

std::span<const choice<graph_format>> graph_formats() {
  static constexpr std::array<choice<graph_format>, 8> formats{{
      {"auto", graph_format::automatic},
      {"edges", graph_format::edges},
      {"mtx", graph_format::matrix_market},
      {"gr", graph_format::dimacs},
      {"metis", graph_format::metis},
      {"ldbc", graph_format::ldbc},
      {"sg", graph_format::serialized},
      {"wsg", graph_format::weighted_serialized},
  }};
  return formats;
}

graph_format format_of_name(const std::string& path) {
  std::string_view name = path;
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  static constexpr choice<graph_format> endings[] = {
      {".mtx", graph_format::matrix_market},
      {".gr", graph_format::dimacs},
      {".graph", graph_format::metis},
      {".metis", graph_format::metis},
      {".v", graph_format::ldbc},
      {".e", graph_format::ldbc},
      {".sg", graph_format::serialized},
      {".wsg", graph_format::weighted_serialized},
  };
  for (const auto& [ending, format] : endings) {
    if (name.ends_with(ending)) return format;
  }
  return graph_format::automatic;
}

}  // namespace far::apps
