#include "apps/graph/dimacs.hpp"

#include "apps/graph/snap_tokens.hpp"

namespace far::apps {
namespace {

/// Whether the cursor is at a line whose first word is `letter`.
bool at_word(const token_cursor& cursor, std::string_view lines, char letter) {
  const std::size_t at = cursor.offset();
  return lines[at] == letter &&
         (at + 1 == lines.size() || lines[at + 1] == ' ' || lines[at + 1] == '\t' ||
          lines[at + 1] == '\n' || lines[at + 1] == '\r');
}

}  // namespace

bool is_dimacs(std::string_view text) {
  return text.size() > 1 && (text[0] == 'c' || text[0] == 'p') &&
         (text[1] == ' ' || text[1] == '\t' || text[1] == '\n' || text[1] == '\r');
}

std::size_t dimacs_parser::parse_head(std::string_view lines) {
  token_cursor cursor(lines);
  while (!cursor.at_end() && !header_) {
    cursor.skip_blanks();
    if (cursor.at_line_end() || at_word(cursor, lines, 'c')) {
      cursor.take_line();
      continue;
    }
    if (!at_word(cursor, lines, 'p')) {
      cursor.fail("expected the line 'p sp VERTICES ARCS' before the arcs; add it");
    }
    cursor.step();
    cursor.skip_blanks();
    const std::size_t kind = cursor.offset();
    if (!lines.substr(kind).starts_with("sp") ||
        lines.substr(kind + 2).find_first_of(" \t\r\n") != 0) {
      cursor.fail("a problem that is not 'sp', shortest paths; only those are read");
    }
    cursor.step();
    cursor.step();
    graph_header header{.values = 1};
    header.vertices = take_count(cursor, "the number of vertices");
    header.entries = take_count(cursor, "the number of arcs");
    cursor.skip_blanks();
    if (!cursor.at_line_end()) cursor.fail("a third number; give vertices and arcs");
    cursor.skip_line_end();
    header_ = header;
  }
  return cursor.offset();
}

void dimacs_parser::parse_entries(std::string_view lines, std::vector<edge>& edges,
                                  std::vector<double>* weights) const {
  token_cursor cursor(lines);
  while (!cursor.at_end()) {
    cursor.skip_blanks();
    if (cursor.at_line_end() || at_word(cursor, lines, 'c')) {
      cursor.take_line();
      continue;
    }
    if (!at_word(cursor, lines, 'a')) {
      cursor.fail("expected an arc, 'a FROM TO WEIGHT', or a comment, 'c ...'; correct the line");
    }
    cursor.step();
    edge e;
    e.from = take_vertex(cursor, "the arc's source", *header_);
    e.to = take_vertex(cursor, "the arc's target", *header_);
    cursor.skip_blanks();
    const double weight = cursor.take_weight("the arc's weight", weight_sign::not_negative);
    cursor.skip_blanks();
    if (!cursor.at_line_end()) cursor.fail("more than a weight after the vertices; remove it");
    cursor.skip_line_end();
    edges.push_back(e);
    if (weights != nullptr) weights->push_back(weight);
  }
}

}  // namespace far::apps
