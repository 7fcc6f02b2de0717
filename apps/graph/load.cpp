#include "apps/graph/load.hpp"

#include <fmt/format.h>

#include "apps/common/free_memory.hpp"
#include "apps/common/input_error.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/shared_plan.hpp"
#include "apps/graph/reader.hpp"

namespace far::apps {
namespace {

/// A header that only rank 0 may have, in a form that travels.
struct travelling_header {
  bool present = false;
  matrix_header header;
};

/// What a rank keeps of each of its vertices at least, whatever the edges: id, offset of the row,
/// rank, share, and the value that others read, and some of them twice while they are made.
constexpr std::uint64_t bytes_per_vertex = 48;

/// A header may promise any number of vertices, whose memory no edge in the file has earned.
void check_vertices(const world& world, const std::string& path, const matrix_header& header) {
  int neighbours = 0;  // ranks of this machine
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
  // One part of many says how far the others are, about.
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
