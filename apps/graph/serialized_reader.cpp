#include "apps/graph/serialized_reader.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <span>
#include <utility>

#include "apps/common/input_error.hpp"
#include "apps/common/shared_plan.hpp"
#include "apps/graph/id_set.hpp"
#include "apps/graph/memory_need.hpp"
#include "apps/graph/sorted_rows.hpp"
#include "far/base/random.hpp"
#include "far/graph/build_rows.hpp"
#include "far/graph/vertex_shares.hpp"

namespace far::apps {
namespace {

constexpr std::uint64_t piece_bytes = 1 << 20;

/// Reads rows of one file on one rank. Not thread-safe.
class row_file {
 public:
  row_file(const std::string& path, bool weighted, weight_sign allowed)
      : file_(path), layout_(read_layout(file_, weighted)), allowed_(allowed) {}

  [[nodiscard]] const serialized_layout& layout() const { return layout_; }

  /// Calls visit(vertex, arcs) for the vertices [begin, end).
  template <class Visit>
  void visit_degrees(bool incoming, std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
    constexpr std::uint64_t per_piece = piece_bytes / 8;
    for (std::uint64_t v = begin; v < end; v += per_piece) {
      const auto offsets = offsets_of(incoming, v, std::min(end, v + per_piece));
      for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        visit(v + i, offsets[i + 1] - offsets[i]);
      }
    }
  }

  /// The rows of the vertices [begin, end), with vertices of the whole graph as columns.
  [[nodiscard]] adjacency rows_of(bool incoming, std::uint64_t begin, std::uint64_t end,
                                  bool weights) const {
    adjacency rows;
    rows.offsets = offsets_of(incoming, begin, end);
    const std::uint64_t first = rows.offsets.front();
    for (std::uint64_t& offset : rows.offsets) offset -= first;
    rows.columns.resize(rows.offsets.back());
    if (weights) rows.weights.resize(rows.offsets.back());
    const std::uint64_t per_piece = piece_bytes / layout_.entry_bytes();
    for (std::uint64_t at = 0; at < rows.columns.size(); at += per_piece) {
      const std::uint64_t count = std::min<std::uint64_t>(per_piece, rows.columns.size() - at);
      read_entries(incoming, begin, first + at, count, rows, at);
    }
    return rows;
  }

 private:
  /// The offsets of vertices [begin, end], checked.
  [[nodiscard]] std::vector<std::uint64_t> offsets_of(bool incoming, std::uint64_t begin,
                                                      std::uint64_t end) const {
    std::vector<std::uint64_t> offsets(end - begin + 1);
    read_numbers(file_, layout_.offsets_at(incoming) + 8 * begin, offsets.size(), offsets.data());
    const auto check = [&](bool right, std::size_t i, const char* what) {
      if (right) return;
      throw input_error(
          file_.path(),
          fmt::format("the offset of vertex {}'s row is {}{}; copy or make the file again",
                      begin + i, static_cast<std::int64_t>(offsets[i]), what));
    };
    check(begin > 0 || offsets[0] == 0, 0, ", but the first is 0");
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      check(i == 0 || offsets[i - 1] <= offsets[i], i, ", less than that before it");
      check(offsets[i] <= layout_.arcs, i, ", more than the arcs that the header promises");
    }
    check(end < layout_.vertices || offsets.back() == layout_.arcs, offsets.size() - 1,
          ", but the last is the number of arcs");
    return offsets;
  }

  /// Reads `count` entries from number `entry` on to place `at` of the rows from `vertex` on.
  void read_entries(bool incoming, std::uint64_t vertex, std::uint64_t entry, std::uint64_t count,
                    adjacency& rows, std::uint64_t at) const {
    const std::uint64_t words = layout_.weighted ? 2 : 1;
    std::vector<std::int32_t> piece(count * words);
    const std::uint64_t offset = layout_.entries_at(incoming) + entry * layout_.entry_bytes();
    const std::span<char> bytes(reinterpret_cast<char*>(piece.data()), piece.size() * 4);
    if (file_.read_at(offset, bytes) != bytes.size()) {
      throw input_error(file_.path(),
                        "became shorter while it was read; try again once it is complete");
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::int32_t column = piece[i * words];
      if (column < 0 || static_cast<std::uint64_t>(column) >= layout_.vertices) {
        fail_column(rows, vertex, at + i, column);
      }
      rows.columns[at + i] = static_cast<std::uint32_t>(column);
      if (rows.weights.empty()) continue;
      rows.weights[at + i] = piece[i * words + 1];
      if (rows.weights[at + i] < 0 && allowed_ == weight_sign::not_negative) {
        fail_weight(rows, vertex, at + i);
      }
    }
  }

  [[noreturn]] void fail_column(const adjacency& rows, std::uint64_t first, std::uint64_t place,
                                std::int32_t column) const {
    throw input_error(
        file_.path(),
        fmt::format("neighbour {} of vertex {} is outside 0..{}, the vertices that the header "
                    "promises; copy or make the file again",
                    column, row_at(rows, first, place), layout_.vertices - 1));
  }

  [[noreturn]] void fail_weight(const adjacency& rows, std::uint64_t first,
                                std::uint64_t place) const {
    throw input_error(
        file_.path(),
        fmt::format(
            "an edge of vertex {} has weight {}; weights are at least 0 here, so correct it",
            row_at(rows, first, place), rows.weights[place]));
  }

  /// The vertex of the row that has this place.
  static std::uint64_t row_at(const adjacency& rows, std::uint64_t first, std::uint64_t place) {
    const auto after = std::ranges::upper_bound(rows.offsets, place);
    return first + static_cast<std::uint64_t>(after - rows.offsets.begin()) - 1;
  }

  raw_file file_;
  serialized_layout layout_;
  weight_sign allowed_;
};

/// Sums over arcs of a random function of the ends and the weight. Equal sets of arcs have equal
/// sums over all ranks, and others hardly ever.
struct fingerprint {
  std::uint64_t of_incoming = 0;  ///< if the rows are targets
  std::uint64_t of_outgoing = 0;  ///< if the rows are sources
};

/// The function is a product with a factor for each end, so that a row is one product.
fingerprint fingerprint_of(const adjacency& rows, std::uint64_t first) {
  const auto as_source = [](std::uint64_t vertex) { return base::mix(vertex + 1); };  // not 0
  const auto as_target = [](std::uint64_t source) { return std::rotl(source, 29) | 1; };
  fingerprint sum;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    std::uint64_t sources = 0, targets = 0;
    for (std::uint64_t a = rows.offsets[v]; a < rows.offsets[v + 1]; ++a) {
      const std::uint64_t weight =
          rows.weights.empty() ? 1 : base::mix(std::bit_cast<std::uint64_t>(rows.weights[a])) | 1;
      const std::uint64_t column = as_source(rows.columns[a]);
      sources += column * weight;
      targets += as_target(column) * weight;
    }
    const std::uint64_t row = as_source(first + v);
    sum.of_incoming += as_target(row) * sources;
    sum.of_outgoing += row * targets;
  }
  return sum;
}

/// Collective: throws unless the incoming and the outgoing rows have the same arcs. Those of an
/// undirected graph are one.
void check_both_directions(world& world, const std::string& path, const adjacency& in,
                           const adjacency& out, std::uint64_t first) {
  const fingerprint sums = fingerprint_of(in, first);
  const std::uint64_t outgoing =
      &in == &out ? sums.of_outgoing : fingerprint_of(out, first).of_outgoing;
  const std::uint64_t difference = sums.of_incoming - outgoing;
  if (allreduce(world, difference) == 0) return;
  throw input_error(path, &in == &out
                              ? "is undirected, but an edge is in the row of one of its vertices "
                                "and not of the other; make the file again"
                              : "has an arc in its outgoing rows and not in its incoming ones, or "
                                "the other way round; make the file again");
}

/// Replaces vertices of the graph by columns: own vertices and ghosts.
void name_columns(local_graph& graph, std::uint64_t first) {
  const auto own = static_cast<std::uint64_t>(graph.own());
  if (own == graph.vertices) return;  // all are own
  id_set ghosts(0, graph.vertices);
  for (const adjacency* rows : {&graph.in, &graph.out}) {
    for (const std::uint32_t column : rows->columns) {
      if (column - first >= own) ghosts.insert(column);
    }
  }
  ghosts.seal();
  for (const std::int64_t ghost : ghosts.members(0, ghosts.size())) {
    graph.ghosts.push_back(static_cast<std::uint64_t>(ghost));
  }
  for (adjacency* rows : {&graph.in, &graph.out}) {
    for (std::uint32_t& column : rows->columns) {
      const std::uint64_t place =
          column - first < own ? column - first : own + ghosts.position(column);
      column = static_cast<std::uint32_t>(place);
    }
  }
}

graphs::vertex_shares share_out(world& world, const row_file& file, bool undirected) {
  const serialized_layout& layout = file.layout();
  graphs::vertex_shares parts(world.size(), layout.vertices);
  const byte_range mine = contiguous_range(layout.vertices, part_of(world));
  for (const bool incoming : {true, false}) {
    if (!incoming && !(undirected && layout.directed)) continue;
    file.visit_degrees(incoming, mine.begin, mine.end,
                       [&](std::uint64_t v, std::uint64_t arcs) { parts.count(v, arcs); });
  }
  parts.divide(world);
  return parts;
}

}  // namespace

local_graph read_serialized(world& world, const std::string& path, bool weighted,
                            const graph_options& options, const load_options& wanted) {
  const memory_budget budget(world);
  const row_file file(path, weighted, wanted.allowed);
  const serialized_layout layout = broadcast(world, file.layout(), 0);
  if (layout != file.layout()) {
    throw input_error(path, "differs between ranks; give the path of a file that all see alike");
  }
  local_graph graph;
  graph.vertices = layout.vertices;
  graph.undirected = options.undirected || !layout.directed;
  graph.weighted = wanted.weights && weighted;
  const bool both = layout.directed && (wanted.outgoing || options.undirected);  // are kept
  budget.check(
      path,
      {.vertices = static_cast<double>(layout.vertices),
       .edges = static_cast<double>(layout.arcs) * (layout.directed ? 1 : .5),
       .weighted = graph.weighted},
      fmt::format("the header promises {} vertices and {} arcs", layout.vertices, layout.arcs), {});
  const graphs::vertex_shares parts = share_out(world, file, options.undirected);
  graph.starts = parts.starts();
  const std::uint64_t first = graph.first(world.rank());
  const std::uint64_t end = graph.first(world.rank() + 1);
  for (std::uint64_t v = first; v < end; ++v) graph.ids.push_back(static_cast<std::int64_t>(v));
  const auto read = [&](bool incoming) {
    return file.rows_of(incoming, first, end, graph.weighted);
  };
  graph.in = read(true);
  if (layout.directed) graph.out = read(false);
  check_both_directions(world, path, graph.in, layout.directed ? graph.out : graph.in, first);
  if (!both) graph.out = {};
  if (graph.undirected && both) {
    graph.in = united_rows(std::exchange(graph.in, {}), std::exchange(graph.out, {}), first);
  }
  for (adjacency* rows : {&graph.in, &graph.out}) {
    sort_rows(*rows, first, options.keep_duplicates, options.keep_loops);
  }
  name_columns(graph, first);
  graph.edges = graphs::count_edges(world, graph);
  return graph;
}

whole_graph read_whole_serialized(const std::string& path, bool weighted) {
  std::ifstream file(path, std::ios::binary);
  const auto take = [&]<class T>(T value) {
    file.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  };
  const bool directed = take(char{}) != 0;
  const auto arcs = take(std::uint64_t{});
  whole_graph graph;
  graph.header = graph_header{.vertices = take(std::uint64_t{}),
                              .entries = arcs,
                              .values = weighted ? 1 : 0,
                              .listed_twice = !directed,
                              .first_id = 0};
  std::vector<std::uint64_t> offsets(graph.header->vertices + 1);
  for (std::uint64_t& offset : offsets) offset = take(std::uint64_t{});
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    for (std::uint64_t a = offsets[v]; a < offsets[v + 1]; ++a) {
      graph.edges.push_back({static_cast<std::int64_t>(v), take(std::int32_t{})});
      if (weighted) graph.weights.push_back(take(std::int32_t{}));
    }
  }
  return graph;
}

}  // namespace far::apps
