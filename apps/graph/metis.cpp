#include "apps/graph/metis.hpp"

#include "apps/graph/snap_tokens.hpp"

namespace far::apps {
std::size_t metis_parser::parse_head(std::string_view lines) {
  token_cursor cursor(lines);
  while (!cursor.at_end() && !header_) {
    if (cursor.peek() == '%') {
      cursor.take_line();
      continue;
    }
    graph_header header{.listed_twice = true};
    header.vertices = take_count(cursor, "the number of vertices");
    header.entries = 2 * take_count(cursor, "the number of edges");
    cursor.skip_blanks();
    std::int64_t format = 0;
    std::int64_t weights = 1;
    if (!cursor.at_line_end()) {
      const std::size_t begin = cursor.offset();
      format = cursor.take_id("the format");
      const bool known = format >= 0 && format <= 111 && format % 10 < 2 && format / 10 % 10 < 2;
      if (!known) throw text_error(begin, "unknown format; give three digits, each 0 or 1");
      cursor.skip_blanks();
    }
    const bool vertex_weights = format / 10 % 10 == 1;
    if (!cursor.at_line_end()) {
      const std::size_t begin = cursor.offset();
      weights = cursor.take_id("the number of weights of a vertex");
      if (weights < 0 || weights > 1000) {
        throw text_error(begin, "number of a vertex's weights outside 0..1000; correct it");
      }
      cursor.skip_blanks();
    }
    if (!cursor.at_line_end()) cursor.fail("a fifth number in the header; remove it");
    cursor.skip_line_end();
    header.values = static_cast<int>(format % 10);
    numbers_before_ = static_cast<int>(format / 100 + (vertex_weights ? weights : 0));
    header_ = header;
  }
  return cursor.offset();
}

void metis_parser::parse_lists(std::string_view lines, std::vector<edge>& edges,
                               std::vector<double>* weights) {
  token_cursor cursor(lines);
  while (!cursor.at_end()) {
    if (cursor.peek() == '%') {
      cursor.take_line();
      continue;
    }
    cursor.skip_blanks();
    if (next_ >= header_->vertices && !cursor.at_line_end()) {
      cursor.fail(
          fmt::format("a line after that of vertex {}, the last that the header promises; "
                      "correct the header or the lines",
                      header_->vertices));
    }
    const auto vertex = static_cast<std::int64_t>(++next_);
    const bool isolated = cursor.at_line_end();
    for (int i = 0; i < numbers_before_ && !isolated; ++i) {
      cursor.skip_number("the vertex's size or weight");
      cursor.skip_blanks();
    }
    while (!cursor.at_line_end()) {
      const std::int64_t neighbour = take_vertex(cursor, "a neighbour", *header_);
      cursor.skip_blanks();
      if (header_->values == 1) {
        const double weight =
            cursor.take_weight("the weight of the edge", weight_sign::not_negative);
        if (weights != nullptr) weights->push_back(weight);
        cursor.skip_blanks();
      }
      edges.push_back({vertex, neighbour});
    }
    cursor.skip_line_end();
  }
}

std::uint64_t metis_parser::count_lists(std::string_view lines) {
  std::uint64_t count = 0;
  token_cursor cursor(lines);
  while (!cursor.at_end()) {
    count += cursor.peek() == '%' ? 0U : 1U;
    cursor.take_line();
  }
  return count;
}

}  // namespace far::apps
