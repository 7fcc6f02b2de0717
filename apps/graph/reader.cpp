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

}  // namespace

graph_reader::graph_reader(std::string path, const input_plan& plan, file_part part,
                           graph_reader_settings settings)
    : settings_(std::move(settings)),
      plan_(plan),
      lines_(std::move(path), plan, part, separator::newline, longest_graph_line, settings_.input) {
  if (plan_.kind != input_kind::stream) look_ahead();
}

// Every part needs the head, but only one part owns it.
void graph_reader::look_ahead() {
  item_reader head(lines_.file().path(), plan_, {}, separator::newline, longest_graph_line,
                   silent(settings_.input));
  item_chunk chunk;
  while (format_ == format::unknown || head_missing()) {
    if (!head.next(chunk)) {
      if (head_missing()) fail_without_head();
      return;  // an empty file: an empty graph
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
  const auto drop = [&chunk](std::size_t bytes) {
    chunk.text.remove_prefix(bytes);
    chunk.offset += bytes;
  };
  if (format_ == format::unknown) {
    format_ = is_matrix_market(chunk.text) ? format::matrix_market : format::snap;
  }
  if (head_missing()) drop(matrix_.parse_head(chunk.text));
  head_end_ = chunk.offset;
}

bool graph_reader::read(std::vector<edge>& edges) {
  item_chunk chunk;
  if (!lines_.next(chunk)) {
    if (head_missing()) fail_without_head();
    return false;
  }
  const std::size_t before = edges.size();
  try {
    if (format_ == format::unknown || head_missing()) take_head(chunk);
    if (chunk.offset < head_end_) {
      const std::uint64_t head =
          std::min<std::uint64_t>(chunk.text.size(), head_end_ - chunk.offset);
      chunk.text.remove_prefix(static_cast<std::size_t>(head));
      chunk.offset += head;
    }
    if (format_ == format::snap) {
      parse_snap(chunk.text, edges, settings_.on_name);
    } else if (!head_missing()) {
      matrix_.parse_entries(chunk.text, edges);
    }
  } catch (const text_error& error) {
    lines_.fail(chunk.offset + error.offset, error.what());
  }
  entries_ += edges.size() - before;
  return true;
}

bool graph_reader::head_missing() const {
  return format_ == format::matrix_market && !matrix_.header();
}

void graph_reader::fail_without_head() const {
  throw input_error(lines_.file().path(),
                    "ends before the line with the matrix's size; copy or make the file again");
}

void check_entries(const std::string& path, const std::optional<matrix_header>& header,
                   std::uint64_t entries) {
  if (!header || header->entries == entries) return;
  throw input_error(path, fmt::format("the header promises {} entries, the file has {}; correct "
                                      "the header, or copy or make the file again",
                                      header->entries, entries));
}

whole_graph read_whole_graph(const std::string& path) {
  whole_graph graph;
  graph_reader_settings settings;
  settings.on_name = [&](std::int64_t id, std::string_view name) { graph.names[id] = name; };
  graph_reader reader(path, plan_input(path), {}, std::move(settings));
  while (reader.read(graph.edges)) {
  }
  graph.matrix = reader.matrix();
  check_entries(path, graph.matrix, reader.entries());
  return graph;
}

}  // namespace far::apps
