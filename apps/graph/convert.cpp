#include "apps/graph/convert.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "apps/common/input_error.hpp"
#include "apps/graph/serialized.hpp"
#include "apps/graph/shared_output.hpp"
#include "far/base/error.hpp"
#include "far/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

constexpr std::uint64_t no_vertex = std::numeric_limits<std::uint64_t>::max();

/// Collective: the ids of own vertices and then those of ghosts, as columns refer to them.
std::vector<std::int64_t> ids_of_columns(world& world, const local_graph& graph) {
  ghost_exchange<std::uint64_t> exchange(world, graph);
  std::ranges::transform(graph.ids, exchange.next().begin(),
                         [](std::int64_t id) { return static_cast<std::uint64_t>(id); });
  exchange.bring();
  std::vector<std::int64_t> ids;
  for (const std::uint64_t id : exchange.values()) ids.push_back(static_cast<std::int64_t>(id));
  barrier(world);
  return ids;
}

std::uint64_t arcs_of(world& world, const adjacency& rows) {
  return allreduce(world, std::uint64_t{rows.columns.size()});
}

/// Writes the rows of a serialized graph.
class serialized_writer {
 public:
  serialized_writer(world& world, const local_graph& graph, const std::string& path, bool weighted,
                    const id_rule& rule)
      : world_(&world), graph_(&graph), path_(path), rule_(rule) {
    layout_.weighted = weighted;
    layout_.directed = !graph.undirected || !graph.out.offsets.empty();
    layout_.arcs = arcs_of(world, graph.in);
    number_columns();
    divide();
  }

  written_file write() {
    shared_output output(*world_, path_);
    if (world_->rank() == 0) {
      output_stream head(output, 0);
      head.put(static_cast<char>(layout_.directed));
      head.put(layout_.arcs);
      head.put(layout_.vertices);
      head.flush();
    }
    write_rows(output, false, graph_->outgoing());
    if (layout_.directed) write_rows(output, true, graph_->in);
    output.finish();
    return {layout_.vertices, layout_.file_bytes()};
  }

 private:
  /// Finds each column's number in the file, and the number of vertices there.
  void number_columns() {
    const std::int64_t limit = std::int64_t{serialized_layout::max_vertices} + rule_.base;
    const std::uint64_t first = graph_->first(world_->rank());
    std::vector<std::int64_t> ids;
    if (!rule_.renumber) ids = ids_of_columns(*world_, *graph_);
    numbers_.reserve(graph_->own() + graph_->ghosts.size());
    for (std::size_t c = 0; c < graph_->own() + graph_->ghosts.size(); ++c) {
      if (rule_.renumber) {
        numbers_.push_back(c < graph_->own() ? first + c : graph_->ghosts[c - graph_->own()]);
        continue;
      }
      if (ids[c] < rule_.base || ids[c] >= limit) {
        throw bad_argument(fmt::format(
            "{}: a serialized graph has no vertex {}, only 0..{}; --renumber numbers the vertices "
            "from 0 in the order of their ids",
            shown_name(path_), ids[c], serialized_layout::max_vertices - 1));
      }
      numbers_.push_back(static_cast<std::uint64_t>(ids[c] - rule_.base));
    }
    const std::uint64_t end = graph_->own() == 0 ? 0 : numbers_[graph_->own() - 1] + 1;
    layout_.vertices = allreduce(*world_, end, [](auto a, auto b) { return std::max(a, b); });
    if (layout_.vertices > serialized_layout::max_vertices) {
      throw bad_argument(fmt::format("{}: {} vertices, but a serialized graph has at most {}",
                                     shown_name(path_), layout_.vertices,
                                     serialized_layout::max_vertices));
    }
  }

  /// The numbers [begin_, end_) whose rows this rank writes: from its first vertex to the next
  /// rank's; rank 0 begins at 0. Numbers without a vertex have empty rows.
  void divide() {
    const std::uint64_t mine = graph_->own() == 0 ? no_vertex : numbers_[0];
    std::vector<std::uint64_t> begins = allgatherv(*world_, std::vector<std::uint64_t>(1, mine));
    begins.push_back(layout_.vertices);
    for (std::size_t r = begins.size() - 1; r-- > 0;) {
      if (begins[r] == no_vertex) begins[r] = begins[r + 1];
    }
    begins[0] = 0;
    const auto rank = static_cast<std::size_t>(world_->rank());
    begin_ = begins[rank];
    end_ = begins[rank + 1];
  }

  void write_rows(const shared_output& output, bool incoming, const adjacency& rows) const {
    std::uint64_t at =
        exclusive_scan(*world_, std::uint64_t{rows.columns.size()}, std::uint64_t{0});
    output_stream entries(output, layout_.entries_at(incoming) + at * layout_.entry_bytes());
    for (std::size_t a = 0; a < rows.columns.size(); ++a) {
      entries.put(static_cast<std::int32_t>(numbers_[rows.columns[a]]));
      if (layout_.weighted) entries.put(whole(rows.weights[a]));
    }
    entries.flush();
    output_stream offsets(output, layout_.offsets_at(incoming) + 8 * begin_);
    std::size_t row = 0;
    for (std::uint64_t number = begin_; number < end_; ++number) {
      offsets.put(at);
      if (row < graph_->own() && numbers_[row] == number) {
        at += rows.offsets[row + 1] - rows.offsets[row];
        ++row;
      }
    }
    if (end_ == layout_.vertices && (begin_ < end_ || world_->rank() == 0)) offsets.put(at);
    offsets.flush();
  }

  std::int32_t whole(double weight) const {
    const auto result = weight >= std::numeric_limits<std::int32_t>::min() &&
                                weight <= std::numeric_limits<std::int32_t>::max()
                            ? static_cast<std::int32_t>(weight)
                            : 0;
    if (static_cast<double>(result) == weight) return result;
    throw bad_argument(
        fmt::format("{}: an edge has weight {}, but a .wsg has integers of 32 bits; "
                    "scale the weights, or write a .wel",
                    shown_name(path_), weight));
  }

  world* world_;
  const local_graph* graph_;
  std::string path_;
  id_rule rule_;
  serialized_layout layout_;
  std::vector<std::uint64_t> numbers_;  // by column
  std::uint64_t begin_ = 0, end_ = 0;
};

/// Calls line(text) for each edge of this rank: an undirected one at its larger end.
template <class Line>
void for_each_line(const local_graph& graph, const std::vector<std::int64_t>& ids, bool weighted,
                   Line&& line) {
  const adjacency& rows = graph.outgoing();
  const bool once = graph.undirected && graph.out.offsets.empty();
  std::string text;
  for (std::size_t v = 0; v < graph.own(); ++v) {
    for (std::uint64_t a = rows.offsets[v]; a < rows.offsets[v + 1]; ++a) {
      const std::int64_t to = ids[rows.columns[a]];
      if (once && to > ids[v]) continue;
      text.clear();
      fmt::format_to(std::back_inserter(text), "{} {}", graph.ids[v], to);
      if (weighted) fmt::format_to(std::back_inserter(text), " {}", rows.weights[a]);
      line(text += '\n');
    }
  }
}

written_file write_text(world& world, const local_graph& graph, const std::string& path,
                        bool weighted) {
  const std::vector<std::int64_t> ids = ids_of_columns(world, graph);
  std::uint64_t bytes = 0;
  for_each_line(graph, ids, weighted, [&](std::string_view line) { bytes += line.size(); });
  shared_output output(world, path);
  output_stream lines(output, exclusive_scan(world, bytes, std::uint64_t{0}));
  for_each_line(graph, ids, weighted, [&](std::string_view line) { lines.append(line); });
  lines.flush();
  output.finish();
  std::uint64_t vertices = 0;  // with an edge, as others are in no line
  const adjacency& out = graph.outgoing();
  for (std::size_t v = 0; v < graph.own(); ++v) {
    const bool has_edge =
        graph.in.offsets[v] < graph.in.offsets[v + 1] || out.offsets[v] < out.offsets[v + 1];
    vertices += has_edge ? 1 : 0;
  }
  return {allreduce(world, vertices), allreduce(world, bytes)};
}

}  // namespace

output_format output_format_of(const std::string& path) {
  if (path.ends_with(".sg")) return output_format::serialized;
  if (path.ends_with(".wsg")) return output_format::weighted_serialized;
  if (path.ends_with(".el")) return output_format::edges;
  if (path.ends_with(".wel")) return output_format::weighted_edges;
  throw usage_error(
      fmt::format("far-graph: cannot tell the format of {} by its ending; use one of "
                  ".sg, .wsg, .el, .wel",
                  shown_name(path)));
}

written_file write_graph(world& world, const local_graph& graph, const std::string& path,
                         output_format format, const id_rule& rule) {
  const bool weighted = has_weights(format);
  if (weighted && !graph.weighted && graph.edges > 0) {
    throw bad_argument(
        fmt::format("{}: this format has weights, but the graph has none; write a .sg or a .el",
                    shown_name(path)));
  }
  if (format == output_format::edges || format == output_format::weighted_edges) {
    return write_text(world, graph, path, weighted);
  }
  return serialized_writer(world, graph, path, weighted, rule).write();
}

}  // namespace far::apps
