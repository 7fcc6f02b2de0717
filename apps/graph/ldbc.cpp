#include "apps/graph/ldbc.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "apps/common/input_error.hpp"
#include "apps/common/shared_plan.hpp"
#include "apps/graph/snap.hpp"
#include "apps/graph/snap_tokens.hpp"

namespace far::apps {
namespace {

bool is_comment_or_blank(token_cursor& cursor) {
  cursor.skip_blanks();
  if (!cursor.at_line_end() && cursor.peek() != '#' && cursor.peek() != '%') return false;
  cursor.take_line();
  return true;
}

void parse_vertices(std::string_view lines, std::vector<std::int64_t>& ids) {
  token_cursor cursor(lines);
  while (!cursor.at_end()) {
    if (is_comment_or_blank(cursor)) continue;
    ids.push_back(cursor.take_id("a vertex number"));
    cursor.skip_blanks();
    if (!cursor.at_line_end()) cursor.fail("a second column; give one vertex number a line");
    cursor.skip_line_end();
  }
}

std::vector<std::int64_t> read_part(const std::string& path, const input_plan& plan,
                                    file_part part) {
  std::vector<std::int64_t> ids;
  item_reader lines(path, plan, part, separator::newline, longest_graph_line);
  for (item_chunk chunk; lines.next(chunk);) {
    try {
      parse_vertices(chunk.text, ids);
    } catch (const text_error& error) {
      lines.fail(chunk.offset + error.offset, error.what());
    }
  }
  return ids;
}

/// The file that exists, of its plain and its packed forms; the plain one if there is none.
std::string present(const std::string& path) {
  for (const char* packed : {"", ".gz", ".xz"}) {
    std::error_code ignored;
    if (std::filesystem::exists(path + packed, ignored)) return path + packed;
  }
  return path;
}

/// Offset of the first edge in the lines that has this vertex, if there is one.
std::optional<std::size_t> find_vertex(std::string_view lines, std::int64_t id) {
  token_cursor cursor(lines);
  while (!cursor.at_end()) {
    if (is_comment_or_blank(cursor)) continue;
    for (int end = 0; end < 2; ++end) {
      cursor.skip_blanks();
      const std::size_t at = cursor.offset();
      if (cursor.take_id("a vertex number") == id) return at;
    }
    cursor.take_line();
  }
  return {};
}

}  // namespace

ldbc_files ldbc_files_of(const std::string& path) {
  std::string name = path;
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  }
  const bool lists_vertices = name.ends_with(".v");
  const bool lists_edges = name.ends_with(".e");
  if (lists_vertices || lists_edges) name.resize(name.size() - 2);
  // The file that was given is taken as it is; the other one is beside it.
  return {lists_vertices ? path : present(name + ".v"), lists_edges ? path : present(name + ".e"),
          name + ".properties"};
}

bool says_undirected(const std::string& properties) {
  std::ifstream file(properties);
  for (std::string line; std::getline(file, line);) {
    std::erase_if(line, is_whitespace);
    const std::size_t sign = line.find('=');
    if (sign == line.npos || !line.starts_with("graph.")) continue;
    const std::string_view key(line.data(), sign);
    const std::string_view value = std::string_view(line).substr(sign + 1);
    if (!key.ends_with(".directed")) continue;
    if (value == "false") return true;
    if (value == "true") return false;
    throw input_error(properties,
                      fmt::format("{} is '{}'; write true or false", key, printable(value, 40)));
  }
  return false;
}

std::vector<std::int64_t> read_vertices(world& world, const std::string& path, bool read_twice) {
  const input_plan plan = plan_together(world, {path}, read_twice).front();
  return read_part(path, plan, part_of(world));
}

void fail_unknown_vertex(world& world, const ldbc_files& files, std::int64_t id) {
  const std::string what = fmt::format("vertex {} is not in {}; add it there, or remove the edge",
                                       id, shown_name(files.vertices));
  const input_plan plan = plan_input(files.edges);
  if (plan.kind != input_kind::stream) {
    item_reader lines(files.edges, plan, part_of(world), separator::newline, longest_graph_line);
    for (item_chunk chunk; lines.next(chunk);) {
      if (const auto at = find_vertex(chunk.text, id)) lines.fail(chunk.offset + *at, what);
    }
  }
  throw input_error(files.edges, what);
}

whole_graph read_whole_ldbc(const std::string& path, bool weights,
                            std::vector<std::int64_t>& vertices) {
  const ldbc_files files = ldbc_files_of(path);
  vertices = read_part(files.vertices, plan_input(files.vertices), {});
  return read_whole_graph(files.edges, graph_format::edges, weights);
}

}  // namespace far::apps
