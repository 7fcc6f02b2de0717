#include "apps/graph/snap.hpp"

#include <algorithm>
#include <charconv>

#include "apps/graph/matrix_market.hpp"
#include "apps/graph/snap_tokens.hpp"

namespace far::apps {
namespace {

constexpr const char* a_vertex = "a vertex number";
constexpr int max_extra_columns = 2;

// `comment` is a comment line without its #.
void read_name(std::string_view comment, const name_callback& on_name) {
  const auto take_word = [&comment] {
    comment.remove_prefix(std::min(comment.size(), comment.find_first_not_of(" \t")));
    const std::string_view word = comment.substr(0, comment.find_first_of(" \t"));
    comment.remove_prefix(word.size());
    return word;
  };
  if (take_word() != "vertex") return;
  const std::string_view number = take_word();
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
  if (error != std::errc() || end != number.data() + number.size()) return;
  comment.remove_prefix(std::min(comment.size(), comment.find_first_not_of(" \t")));
  const std::string_view name = comment.substr(0, comment.find_last_not_of(" \t") + 1);
  if (!name.empty()) on_name(id, name);
}

void read_comment(token_cursor& cursor, const name_callback& on_name) {
  const std::size_t begin = cursor.offset();
  const std::string_view line = cursor.take_line();
  const std::size_t zero = line.find('\0');
  if (zero != line.npos) throw text_error(begin + zero, "byte 0x00; is this a text file?");
  // In an edge list, the line with the matrix's size would be read as an edge.
  if (is_matrix_market(line)) {
    throw text_error(begin,
                     "a Matrix Market banner that is not the first line; remove what is "
                     "before it, or the banner");
  }
  if (on_name && line.front() == '#') read_name(line.substr(1), on_name);
}

// `column`: how many extra columns were taken already.
void skip_extra_columns(token_cursor& cursor, int column = 0) {
  for (; !cursor.at_line_end(); ++column) {
    if (column == max_extra_columns) {
      cursor.fail(
          "a fifth column; give two vertex numbers a line, and at most a weight and a time");
    }
    cursor.skip_number("a number (a weight or a time) or the end of the line");
    cursor.skip_blanks();
  }
}

// Calls rest(cursor) at the blanks' end after the two ids of each edge.
template <class Rest>
void parse_lines(std::string_view lines, std::vector<edge>& edges, const name_callback& on_name,
                 Rest&& rest) {
  token_cursor cursor(lines);
  while (!cursor.at_end()) {
    cursor.skip_blanks();
    if (cursor.at_line_end()) {
      cursor.skip_line_end();
    } else if (cursor.peek() == '#' || cursor.peek() == '%') {
      read_comment(cursor, on_name);
    } else {
      edge e;
      e.from = cursor.take_id(a_vertex);
      cursor.skip_blanks();
      e.to = cursor.take_id("a second vertex number");
      cursor.skip_blanks();
      rest(cursor);
      cursor.skip_line_end();
      edges.push_back(e);
    }
  }
}

}  // namespace

void parse_snap(std::string_view lines, std::vector<edge>& edges, const name_callback& on_name) {
  parse_lines(lines, edges, on_name, [](token_cursor& cursor) {
    if (!cursor.at_line_end()) skip_extra_columns(cursor);
  });
}

void parse_weighted_snap(std::string_view lines, bool weighted, weight_sign allowed,
                         std::vector<edge>& edges, std::vector<double>& weights,
                         const name_callback& on_name) {
  parse_lines(lines, edges, on_name, [&](token_cursor& cursor) {
    if (!weighted && !cursor.at_line_end()) {
      cursor.fail("a weight, which the file's first edge lacks; give all edges weights, or none");
    }
    if (!weighted) return;
    if (cursor.at_line_end()) {
      cursor.fail("no weight, which the file's first edge has; give all edges weights, or none");
    }
    weights.push_back(cursor.take_weight("a weight", allowed));
    cursor.skip_blanks();
    skip_extra_columns(cursor, 1);
  });
}

std::optional<bool> first_edge_is_weighted(std::string_view lines) {
  for (std::size_t at = 0; at < lines.size();) {
    const std::string_view line = lines.substr(at, lines.find('\n', at) - at);
    at += line.size() + 1;
    const auto column = [&, from = std::size_t{0}]() mutable {
      from = line.find_first_not_of(" \t\r", from);
      if (from == line.npos) return '\0';
      const char first = line[from];
      from = std::min(line.size(), line.find_first_of(" \t\r", from));
      return first;
    };
    auto next = column;
    const char first = next();
    if (first == '\0' || first == '#' || first == '%') continue;
    (void)next();
    return next() != '\0';
  }
  return {};
}

}  // namespace far::apps
