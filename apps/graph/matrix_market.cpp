#include "apps/graph/matrix_market.hpp"

#include <algorithm>

#include "apps/graph/snap_tokens.hpp"

namespace far::apps {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

struct word {
  std::string text;  // in lower case
  std::size_t offset;
};

std::vector<word> words_of(std::string_view line) {
  std::vector<word> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r\n", at)) != line.npos) {
    const std::size_t end = std::min(line.size(), line.find_first_of(" \t\r\n", at));
    word w{std::string(line.substr(at, end - at)), at};
    for (char& c : w.text) c = lower(c);
    words.push_back(std::move(w));
    at = end;
  }
  return words;
}

// Position of `found` in `known`; throws an error that lists `known` if it is not there.
std::size_t choose(const word& found, const char* what,
                   std::initializer_list<std::string_view> known) {
  const auto at = std::find(known.begin(), known.end(), found.text);
  if (at != known.end()) return static_cast<std::size_t>(at - known.begin());
  throw text_error(found.offset, fmt::format("unknown {} '{}'; use one of: {}", what,
                                             printable(found.text, 40), fmt::join(known, ", ")));
}

}  // namespace

bool is_matrix_market(std::string_view text) {
  const std::size_t signs = std::min(text.size(), text.find_first_not_of('%'));
  const std::string_view name = text.substr(signs, text.find_first_of(" \t\r\n", signs) - signs);
  constexpr std::string_view wanted = "matrixmarket";
  return signs > 0 && std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(),
                                 [](char found, char known) { return lower(found) == known; });
}

std::size_t matrix_market_parser::parse_head(std::string_view lines) {
  std::size_t taken = 0;
  while (taken < lines.size() && !header_) {
    const std::size_t end = lines.find('\n', taken) + 1;
    const std::string_view line = lines.substr(taken, end - taken);
    try {
      if (!banner_seen_) {
        parse_banner(line);
        banner_seen_ = true;
      } else if (!line.starts_with('%') && !words_of(line).empty()) {
        parse_size(line);
      }
    } catch (const text_error& error) {
      throw text_error(taken + error.offset, error.what());
    }
    taken = end;
  }
  return taken;
}

void matrix_market_parser::parse_banner(std::string_view line) {
  const std::vector<word> words = words_of(line);
  if (words.size() != 5) {
    throw text_error(0, fmt::format("a first line of {} words; write '{} matrix coordinate "
                                    "pattern general', or what the matrix is",
                                    words.size(), matrix_market_banner));
  }
  choose(words[1], "object", {"matrix"});
  if (words[2].text == "array") {
    throw text_error(words[2].offset,
                     "a dense matrix; write it in coordinate format, an entry a line");
  }
  choose(words[2], "format", {"coordinate"});
  constexpr int values_of_field[] = {0, 1, 1, 1, 1, 2};
  promised_.values = values_of_field[choose(
      words[3], "field", {"pattern", "real", "double", "integer", "unsigned-integer", "complex"})];
  const std::size_t symmetry =
      choose(words[4], "symmetry", {"general", "symmetric", "skew-symmetric", "hermitian"});
  promised_.symmetric = symmetry != 0;
  promised_.skew = symmetry == 2;
}

void matrix_market_parser::parse_size(std::string_view line) {
  token_cursor cursor(line);
  std::int64_t numbers[3] = {};
  std::size_t offsets[3] = {};
  const char* const names[] = {"the number of rows", "the number of columns",
                               "the number of entries"};
  for (std::size_t i = 0; i < 3; ++i) {
    cursor.skip_blanks();
    offsets[i] = cursor.offset();
    numbers[i] = cursor.take_id(names[i]);
    if (numbers[i] < 0) throw text_error(offsets[i], "negative size; write the matrix's own");
  }
  cursor.skip_blanks();
  if (!cursor.at_line_end()) cursor.fail("a fourth number; give rows, columns and entries");
  if (numbers[0] != numbers[1]) {
    throw text_error(offsets[1], fmt::format("{} rows but {} columns; a graph is a square matrix",
                                             numbers[0], numbers[1]));
  }
  header_ = promised_;
  header_->vertices = static_cast<std::uint64_t>(numbers[0]);
  header_->entries = static_cast<std::uint64_t>(numbers[2]);
}

void matrix_market_parser::parse_entries(std::string_view lines, std::vector<edge>& edges,
                                         std::vector<double>* weights, weight_sign allowed) const {
  token_cursor cursor(lines);
  while (!cursor.at_end()) {
    cursor.skip_blanks();
    if (cursor.at_line_end()) {
      cursor.skip_line_end();
      continue;
    }
    if (cursor.peek() == '%') {
      cursor.take_line();
      continue;
    }
    edge e;
    e.from = take_vertex(cursor, "a row number", *header_);
    e.to = take_vertex(cursor, "a column number", *header_);
    for (int i = 0; i < header_->values; ++i) {
      cursor.skip_blanks();
      if (weights != nullptr && header_->weighted()) {
        weights->push_back(cursor.take_weight("the entry's value", allowed));
      } else {
        cursor.skip_number("the entry's value");
      }
    }
    cursor.skip_blanks();
    if (!cursor.at_line_end()) cursor.fail("more numbers than the header's field has; remove them");
    cursor.skip_line_end();
    edges.push_back(e);
  }
}

}  // namespace far::apps
