#include "apps/graph/reader.hpp"

#include <algorithm>
#include <utility>

#include "apps/graph/snap.hpp"

namespace far::apps {
namespace {

input_settings silent(input_settings settings) {
  settings.on_progress = {};
  return settings;
}

graph_format format_of(const std::string& path, graph_format given) {
  return given == graph_format::automatic ? format_of_name(path) : given;
}

}  // namespace

input_plan plan_for(graph_format format, input_plan plan) {
  if (format == graph_format::metis && plan.kind == input_kind::packed_file) {
    return {.kind = input_kind::stream};
  }
  return plan;
}

graph_reader::graph_reader(std::string path, const input_plan& plan, file_part part,
                           graph_reader_settings settings)
    : settings_(std::move(settings)),
      plan_(plan_for(format_of(path, settings_.format), plan)),
      part_(part),
      lines_(std::move(path), plan_, part, separator::newline, longest_graph_line, settings_.input),
      format_(format_of(lines_.file().path(), settings_.format)) {
  if (plan_.kind != input_kind::stream) look_ahead();
}

// Every part needs the head, but only one part owns it.
void graph_reader::look_ahead() {
  item_reader head(lines_.file().path(), plan_, {}, separator::newline, longest_graph_line,
                   silent(settings_.input));
  item_chunk chunk;
  while (head_missing() || (settings_.weights && !header() && !weighted_)) {
    if (!head.next(chunk)) {
      if (format_ != graph_format::automatic && head_missing()) fail_without_head();
      return;  // a file without edges
    }
    try {
      take_head(chunk);
    } catch (const text_error& error) {
      head.fail(chunk.offset + error.offset, error.what());
    }
  }
}

// Detects the format from the first chunk, and removes the head from `chunk`.
void graph_reader::take_head(item_chunk& chunk) {
  if (format_ == graph_format::automatic) {
    format_ = is_matrix_market(chunk.text) ? graph_format::matrix_market
              : is_dimacs(chunk.text)      ? graph_format::dimacs
                                           : graph_format::edges;
  }
  if (head_missing()) {
    std::size_t taken = 0;
    if (format_ == graph_format::matrix_market) taken = matrix_.parse_head(chunk.text);
    if (format_ == graph_format::dimacs) taken = dimacs_.parse_head(chunk.text);
    if (format_ == graph_format::metis) taken = metis_.parse_head(chunk.text);
    chunk.text.remove_prefix(taken);
    chunk.offset += taken;
    head_end_ = chunk.offset;
  }
  if (format_ == graph_format::edges && settings_.weights && !weighted_) {
    weighted_ = first_edge_is_weighted(chunk.text);
  }
}

bool graph_reader::read(std::vector<edge>& edges, std::vector<double>* weights) {
  item_chunk chunk;
  if (!lines_.next(chunk)) {
    if (plan_.kind == input_kind::stream && part_.index != 0) return false;
    if (format_ != graph_format::automatic && head_missing()) fail_without_head();
    return false;
  }
  const std::size_t before = edges.size();
  try {
    if (head_missing() || (settings_.weights && !weighted_)) take_head(chunk);
    if (chunk.offset < head_end_) {
      const std::uint64_t head =
          std::min<std::uint64_t>(chunk.text.size(), head_end_ - chunk.offset);
      chunk.text.remove_prefix(static_cast<std::size_t>(head));
      chunk.offset += head;
    }
    if (!head_missing()) parse(chunk.text, edges, settings_.weights ? weights : nullptr);
  } catch (const text_error& error) {
    lines_.fail(chunk.offset + error.offset, error.what());
  }
  entries_ += edges.size() - before;
  return true;
}

void graph_reader::parse(std::string_view text, std::vector<edge>& edges,
                         std::vector<double>* weights) {
  switch (format_) {
    case graph_format::matrix_market:
      return matrix_.parse_entries(text, edges, weights, settings_.allowed);
    case graph_format::dimacs:
      return dimacs_.parse_entries(text, edges, weights);
    case graph_format::metis:
      return metis_.parse_lists(text, edges, weights);
    default:
      if (weights == nullptr) return parse_snap(text, edges, settings_.on_name);
      parse_weighted_snap(text, weighted_.value_or(false), settings_.allowed, edges, *weights,
                          settings_.on_name);
  }
}

std::uint64_t graph_reader::count_lists() const {
  item_reader lines(lines_.file().path(), plan_, part_, separator::newline, longest_graph_line,
                    silent(settings_.input));
  std::uint64_t count = 0;
  for (item_chunk chunk; lines.next(chunk);) {
    if (chunk.offset < head_end_) {
      chunk.text.remove_prefix(
          std::min<std::uint64_t>(chunk.text.size(), head_end_ - chunk.offset));
    }
    count += metis_parser::count_lists(chunk.text);
  }
  return count;
}

const std::optional<graph_header>& graph_reader::header() const {
  if (format_ == graph_format::dimacs) return dimacs_.header();
  if (format_ == graph_format::metis) return metis_.header();
  return matrix_.header();
}

bool graph_reader::head_missing() const {
  return format_ == graph_format::automatic || (format_ != graph_format::edges && !header());
}

void graph_reader::fail_without_head() const {
  throw input_error(
      lines_.file().path(),
      format_ == graph_format::matrix_market
          ? "ends before the line with the matrix's size; copy or make the file again"
          : "ends before the line with the graph's size; copy or make the file again");
}

void check_entries(const std::string& path, const std::optional<graph_header>& header,
                   std::uint64_t entries) {
  if (!header || header->entries == entries) return;
  if (header->listed_twice) {
    throw input_error(
        path, fmt::format("the header promises {} edges, each in two lists, the lists have {} "
                          "neighbours instead of {}; correct the header or the lists",
                          header->entries / 2, entries, header->entries));
  }
  throw input_error(path, fmt::format("the header promises {} entries, the file has {}; correct "
                                      "the header, or copy or make the file again",
                                      header->entries, entries));
}

void check_lists(const std::string& path, const std::optional<graph_header>& header,
                 std::uint64_t lists) {
  if (!header || lists >= header->vertices) return;
  throw input_error(path, fmt::format("the header promises {} vertices, the file has lines for {}; "
                                      "correct the header, or copy or make the file again",
                                      header->vertices, lists));
}

whole_graph read_whole_graph(const std::string& path, graph_format format, bool weights) {
  whole_graph graph;
  graph_reader_settings settings;
  settings.on_name = [&](std::int64_t id, std::string_view name) { graph.names[id] = name; };
  settings.format = format;
  settings.weights = weights;
  graph_reader reader(path, plan_input(path), {}, std::move(settings));
  while (reader.read(graph.edges, &graph.weights)) {
  }
  graph.header = reader.header();
  check_entries(path, graph.header, reader.entries());
  if (reader.format() == graph_format::metis) {
    check_lists(path, graph.header, reader.next_vertex());
  }
  return graph;
}

}  // namespace far::apps
