// Random graph files: each gives edges or a one-line error, the same for every division.
#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"
#include "apps/graph/reader.hpp"

namespace far::apps {
namespace {

using testing::gzip;
using testing::memory_file;
using testing::message_of;
using testing::xz;

// Text that is close to valid, made of the tokens that the parsers distinguish.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> tokens = {"1",
                                                  "2",
                                                  "37",
                                                  "-5",
                                                  " ",
                                                  " ",
                                                  "\t",
                                                  "\n",
                                                  "\n",
                                                  "\n",
                                                  "\r\n",
                                                  "\r",
                                                  "# ",
                                                  "%",
                                                  "x",
                                                  ",",
                                                  ".",
                                                  "e5",
                                                  "0",
                                                  "\xff",
                                                  "1 2\n",
                                                  "3 4\n",
                                                  "5 6\n",
                                                  "9223372036854775807",
                                                  "99999999999999999999",
                                                  "# vertex 1 a\n",
                                                  std::string(1, '\0')};
  std::string text;
  switch (random() % 4) {
    case 0:
      text = "%%MatrixMarket matrix coordinate pattern general\n9 9 3\n";
      break;
    case 1:
      text = "%%MatrixMarket matrix coordinate real symmetric\n";
      break;
    default:
      break;
  }
  // Mostly whole edges, so that some texts are valid and most errors occur late in the text.
  for (std::size_t i = random() % 30; i > 0; --i) {
    text += random() % 3 != 0 ? tokens[20 + random() % 3] : tokens[random() % tokens.size()];
  }
  return text;
}

std::string random_bytes(std::mt19937& random) {
  std::string bytes(random() % 300, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

struct reading {
  std::vector<edge> edges;
  std::vector<double> weights;
  std::string failure;
};

constexpr std::size_t whole_piece = 8192;  // more than any text here

reading read_random_parts(const std::string& path, std::size_t count, std::size_t piece,
                          graph_format format = {}) {
  reading all;
  std::uint64_t first_failure = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t entries = 0;
  std::uint64_t lists = 0;
  std::optional<graph_header> header;
  for (std::size_t index = 0; index < count; ++index) {
    try {
      graph_reader reader(path, plan_input(path), {index, count},
                          {.input = {.piece_bytes = piece}, .format = format, .weights = true});
      if (format == graph_format::metis && count > 1) {
        const std::uint64_t mine = reader.count_lists();
        reader.start_at(std::exchange(lists, lists + mine));
      }
      while (reader.read(all.edges, &all.weights)) {
      }
      header = reader.header();
      entries += reader.entries();
      if (count == 1) lists = reader.next_vertex();
    } catch (const input_error& error) {
      if (error.offset() >= first_failure) continue;
      first_failure = error.offset();
      all.failure = error.what();
    }
  }
  if (all.failure.empty()) {
    all.failure = message_of([&] {
      check_entries(path, header, entries);
      if (format == graph_format::metis) check_lists(path, header, lists);
    });
  }
  if (!all.failure.empty()) all.edges.clear(), all.weights.clear();
  std::sort(all.edges.begin(), all.edges.end());
  std::sort(all.weights.begin(), all.weights.end());
  return all;
}

bool is_one_line(const std::string& message, const std::string& path) {
  return message.starts_with(path + ":") && message.find('\n') == message.npos &&
         message.find("; ") != message.npos;
}

TEST(graph_reader, answers_random_text_alike_however_it_is_divided) {
  std::mt19937 random(1);
  int valid = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::string text = random_text(random);
    const memory_file file(round % 5 == 0 ? gzip(text) : round % 7 == 0 ? xz(text) : text);
    const reading whole = read_random_parts(file.path(), 1, whole_piece);
    valid += whole.failure.empty();
    if (!whole.failure.empty()) {
      EXPECT_TRUE(is_one_line(whole.failure, file.path())) << whole.failure;
    }
    const reading divided = read_random_parts(file.path(), 1 + random() % 9, 1 + random() % 40);
    EXPECT_EQ(divided.failure, whole.failure) << text;
    EXPECT_EQ(divided.edges, whole.edges) << text;
    EXPECT_EQ(divided.weights, whole.weights) << text;
  }
  EXPECT_GT(valid, 50);
  EXPECT_LT(valid, 950);
}

// Lines of these formats, mostly valid ones.
std::string random_lines(std::mt19937& random, graph_format format) {
  static const std::vector<std::string> arcs = {
      "a 1 2 3\n",  "a 3 1 .5\n", " a 2 2 7 \n", "c\n", "c x y\n", "\n",
      "a 1 2 -3\n", "a 1 2\n",    "a 9 1 1\n",   "b\n", "a",       "a 1 2 nan\n"};
  static const std::vector<std::string> lists = {"2 3\n", "1 1\n", "\n", "% c\n", "3\n",  " 2 \r\n",
                                                 "1 x\n", "2 9\n", "2",  "%",     "\t\n", "2 -1\n"};
  const bool metis = format == graph_format::metis;
  const auto& known = metis ? lists : arcs;
  std::string body;
  std::size_t entries = 0;  // if all lines are valid
  std::size_t vertices = 0;
  for (std::size_t i = random() % 8; i > 0; --i) {
    const std::string& line = known[random() % 8 != 0 ? random() % 6 : random() % known.size()];
    vertices += line[0] != '%';
    entries += metis ? static_cast<std::size_t>(
                           std::ranges::count_if(line, [](char c) { return c >= '1' && c <= '9'; }))
                     : line.find('a') != line.npos;
    body += line;
  }
  if (random() % 8 == 0) return body;
  if (random() % 4 == 0) entries = random() % 9;
  if (!metis) return fmt::format("c head\np sp 3 {}\n", entries) + body;
  return fmt::format("% head\n{} {}\n", vertices, entries / 2) + body;
}

TEST(graph_reader, answers_random_lines_of_other_formats_alike) {
  for (const graph_format format : {graph_format::dimacs, graph_format::metis}) {
    std::mt19937 random(3);
    int valid = 0;
    for (int round = 0; round < 3000; ++round) {
      const std::string text = random_lines(random, format);
      const memory_file file(text);
      const reading whole = read_random_parts(file.path(), 1, whole_piece, format);
      valid += whole.failure.empty();
      if (!whole.failure.empty()) {
        EXPECT_TRUE(is_one_line(whole.failure, file.path())) << whole.failure;
      }
      const reading divided =
          read_random_parts(file.path(), 2 + random() % 8, 1 + random() % 40, format);
      EXPECT_EQ(divided.failure, whole.failure) << text;
      EXPECT_EQ(divided.edges, whole.edges) << text;
      EXPECT_EQ(divided.weights, whole.weights) << text;
    }
    EXPECT_GT(valid, 20);
    EXPECT_LT(valid, 2900);
  }
}

TEST(graph_reader, survives_random_bytes) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = random_bytes(random);
    if (round % 4 == 0) bytes.insert(0, "%%MatrixMarket");
    if (round % 4 == 1) bytes = gzip(bytes);
    const memory_file file(bytes);
    const reading whole = read_random_parts(file.path(), 1 + random() % 4, whole_piece);
    if (!whole.failure.empty()) {
      EXPECT_TRUE(is_one_line(whole.failure, file.path())) << whole.failure;
    }
  }
}

TEST(graph_reader, complains_of_every_truncated_packed_file) {
  const std::string text = "# vertex 1 one\n1 2\n2 3\n3 1\n";
  for (const std::string& packed : {gzip(text), xz(text)}) {
    for (std::size_t cut = 1; cut < packed.size(); ++cut) {
      const memory_file file(packed.substr(0, cut));
      const reading whole = read_random_parts(file.path(), 1, whole_piece);
      EXPECT_TRUE(is_one_line(whole.failure, file.path())) << cut;
    }
  }
}

}  // namespace
}  // namespace far::apps
