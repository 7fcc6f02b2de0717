#include "apps/graph/load.hpp"

#include <fmt/format.h>

#include "apps/common/free_memory.hpp"
#include "apps/common/input_error.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/shared_plan.hpp"
#include "apps/graph/reader.hpp"

namespace far::apps {
namespace {

/// A header that may exist only on rank 0, in a form that can be broadcast.
struct travelling_header {
  bool present = false;
  matrix_header header;
};

/// Min memory of a rank per own vertex, without edges: id, row offset, rank, share, and the value
/// that other ranks read; some of these exist twice during construction.
constexpr std::uint64_t bytes_per_vertex = 48;

/// Checks that the vertices fit the free memory: a header may state any number of vertices, even in
/// a file with few edges.
void check_vertices(const world& world, const std::string& path, const matrix_header& header) {
  int neighbours = 0;  // ranks on this machine
  for (int r = 0; r < world.size(); ++r) {
    if (world.node_of(r) == world.node_of(world.rank())) ++neighbours;
  }
  const double here = static_cast<double>(header.vertices) * neighbours / world.size();
  const double needed = here * static_cast<double>(bytes_per_vertex);
  const auto free = static_cast<double>(free_memory());
  if (needed <= free) return;
  throw input_error(path, fmt::format("the header promises {} vertices, which take about {:.3g} GB "
                                      "of memory where {:.3g} GB are free; correct the header, or "
                                      "use more machines",
                                      header.vertices, needed * 1e-9, free * 1e-9));
}

}  // namespace

loaded_part load_graph(world& world, const std::string& path, bool read_twice) {
  loaded_part part;
  progress_bar bar("reading " + path);
  const bool shows = world.rank() == 0 && bar.visible();
  const input_plan plan = plan_together(world, {path}, read_twice).front();

  graph_reader_settings settings;
  settings.on_name = [&](std::int64_t id, std::string_view name) {
    part.names.insert_or_assign(id, std::string(name));
  };
  // Rank 0's progress through its part is an estimate for all ranks.
  if (shows) {
    settings.input.on_progress = [&](std::uint64_t done, std::uint64_t total) {
      bar.update(done, total);
    };
  }
  graph_reader reader(path, plan, part_of(world), settings);
  while (reader.read(part.edges)) {
  }
  bar.finish();

  travelling_header first;
  if (world.rank() == 0 && reader.matrix()) first = {true, *reader.matrix()};
  first = broadcast(world, first, 0);
  if (first.present) part.matrix = first.header;
  check_entries(path, part.matrix, allreduce(world, reader.entries()));
  if (part.matrix) check_vertices(world, path, *part.matrix);
  return part;
}

}  // namespace far::apps
