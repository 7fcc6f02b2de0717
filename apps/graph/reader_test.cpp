// Graph files: their meaning, errors in them, and that the parts together give the whole.
#include "apps/graph/reader.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <future>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"
#include "apps/graph/snap.hpp"

namespace far::apps {
namespace {

using testing::gzip;
using testing::memory_file;
using testing::message_of;
using testing::source_file;
using testing::temporary_file;
using testing::xz;

using edges = std::vector<edge>;

edges edges_of(std::string_view text) {
  const memory_file file(text);
  return read_whole_graph(file.path()).edges;
}

// The message without the file name at its start.
std::string failure_of(std::string_view text) {
  const memory_file file(text);
  const std::string message = message_of([&] { (void)read_whole_graph(file.path()); });
  return message.empty() ? message : message.substr(file.path().size());
}

void expect_start(const std::string& message, std::string_view start) {
  EXPECT_TRUE(message.starts_with(start)) << message;
}

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

TEST(snap, reads_what_people_write) {
  EXPECT_EQ(edges_of("1 2\n3 4\n"), (edges{{1, 2}, {3, 4}}));
  EXPECT_EQ(edges_of("1\t2\n\n# c\n%\n#\n   \n 3 \t 4 \t"), (edges{{1, 2}, {3, 4}}));
  EXPECT_EQ(edges_of("1 2\r\n\r\n3 4 \r\n5 6\r"), (edges{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(edges_of("-0 -7\n007 0\n"), (edges{{0, -7}, {7, 0}}));
  EXPECT_EQ(edges_of("9223372036854775807 -9223372036854775808"), (edges{{largest, smallest}}));
  EXPECT_EQ(edges_of("00000000000000000000000000001 2"), (edges{{1, 2}}));
  EXPECT_EQ(edges_of("999999999999999999 1000000000000000000"),
            (edges{{999999999999999999, 1000000000000000000}}));
  EXPECT_EQ(edges_of("1 2 0.5\n2 3 -1e999 17\n3 4 5\n"), (edges{{1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(edges_of("1 2 +1\n2 3 +0.5e+1 +7\n"), (edges{{1, 2}, {2, 3}}));
  EXPECT_EQ(edges_of("\xef\xbb\xbf"
                     "1 2\n"),
            (edges{{1, 2}}));
  for (const char* nothing : {"", "\n", "# only a comment", "%\n\n", "\r\n", "\xef\xbb\xbf"}) {
    EXPECT_EQ(edges_of(nothing), edges{}) << nothing;
  }
}

TEST(snap, says_where_and_what_is_wrong) {
  EXPECT_EQ(failure_of("1 2\n3 x\n"),
            ":2:3: expected a second vertex number, found 'x'; correct or remove the line");
  EXPECT_EQ(failure_of("x 2\n"),
            ":1:1: expected a vertex number, found 'x'; correct or remove the line");
  EXPECT_EQ(failure_of("# c\n\n 12a 2\n"),
            ":3:4: expected a vertex number, found 'a'; correct or remove the line");
  EXPECT_EQ(failure_of("1 2\n7\n"),
            ":2:2: expected a second vertex number, found the end of the line; complete it");
  EXPECT_EQ(failure_of("7  \r\n"),
            ":1:4: expected a second vertex number, found the end of the line; complete it");
  EXPECT_EQ(failure_of("7"),
            ":1:2: expected a second vertex number, found the end of the line; complete it");
  const std::string range =
      "number outside the range of signed 64-bit integers; renumber the vertices";
  EXPECT_EQ(failure_of("1 9223372036854775808\n"), ":1:3: " + range);
  EXPECT_EQ(failure_of("-9223372036854775809 1\n"), ":1:1: " + range);
  EXPECT_EQ(failure_of("1 99999999999999999999999999999\n"), ":1:3: " + range);
  EXPECT_EQ(failure_of("1,2\n"),
            ":1:2: expected a vertex number, found ','; separate numbers by blanks or tabs");
  EXPECT_EQ(failure_of("1 2.5\n"),
            ":1:4: expected a second vertex number, found '.'; correct or remove the line");
  EXPECT_EQ(failure_of("- 2\n"),
            ":1:2: expected a vertex number, found byte 0x20; correct or remove the line");
  EXPECT_EQ(failure_of(std::string_view("1 2\n1 \0 2\n", 10)),
            ":2:3: expected a second vertex number, found byte 0x00; is this a text file?");
  EXPECT_EQ(failure_of(std::string_view("# \0\n", 4)), ":1:3: byte 0x00; is this a text file?");
  EXPECT_EQ(failure_of("1\r2\r3\r"),
            ":1:2: expected a vertex number, found byte 0x0d; end lines with a newline");
  expect_start(failure_of("1 2 +\n"), ":1:5: expected a number (a we");
  expect_start(failure_of("1 2 +-3\n"), ":1:5: expected a number (a we");
  expect_start(failure_of("1 2 3 4 5\n"), ":1:9: a fifth column; ");
  expect_start(failure_of("1 2 heavy\n"), ":1:5: expected a number (a we");
  expect_start(failure_of("1 2 3x\n"), ":1:6: expected a");
  EXPECT_EQ(failure_of("1 2\n" + std::string(longest_graph_line + 1, '#')),
            ":2:1: a line of more than 1048576 bytes; is this a text file?");
  EXPECT_EQ(failure_of(std::string(longest_graph_line - 1, '#') + "\n1 2"), "");
}

TEST(snap, takes_names_from_comments) {
  const memory_file file(
      "# vertex 1 libc6\n#vertex 2 two words \r\n#  vertex\t-3\tx\n# vertex 4\n"
      "# vertex x y\n% vertex 5 five\n# vertices 6 six\n1 2\n# vertex 7 last");
  const auto names = read_whole_graph(file.path()).names;
  const std::map<std::int64_t, std::string> sorted(names.begin(), names.end());
  EXPECT_EQ(sorted, (std::map<std::int64_t, std::string>{
                        {-3, "x"}, {1, "libc6"}, {2, "two words"}, {7, "last"}}));
}

TEST(matrix_market, reads_every_field_and_symmetry) {
  const auto read = [](const std::string& kind, const std::string& rest) {
    const memory_file file("%%MatrixMarket matrix coordinate " + kind + "\n% c\n\n" + rest);
    return read_whole_graph(file.path());
  };
  EXPECT_EQ(read("pattern general", "3 3 2\n1 2\n3 3\n").edges, (edges{{1, 2}, {3, 3}}));
  EXPECT_EQ(read("real general", "3 3 1\n1 2 -1.5e3\n").edges, (edges{{1, 2}}));
  EXPECT_EQ(read("INTEGER General", "3 3 1\r\n1 2 4\r\n").edges, (edges{{1, 2}}));
  EXPECT_EQ(read("unsigned-integer general", "3 3 1\n1 2 18446744073709551615\n").edges,
            (edges{{1, 2}}));
  EXPECT_EQ(read("real general", "3 3 1\n1 2 +1.5e+3\n").edges, (edges{{1, 2}}));
  EXPECT_EQ(read("complex hermitian", "3 3 1\n2 1 1.5 -2").edges, (edges{{2, 1}}));
  const whole_graph g = read("real skew-symmetric", " 4\t4 1 \n2 1 5\n");
  ASSERT_TRUE(g.header);
  EXPECT_TRUE(g.header->symmetric);
  EXPECT_EQ(g.header->vertices, 4U);
  EXPECT_FALSE(read("pattern general", "0 0 0\n").header->symmetric);
}

// Whole public collections have one %; read as an edge list, the size would be an edge.
TEST(matrix_market, is_told_by_its_banner_however_it_is_spelt) {
  const std::string rest =
      "MatrixMarket matrix coordinate pattern symmetric\n6 6 3\n2 1\n3 1\n4 3\n";
  for (const std::string& text :
       {"%" + rest, "%%" + rest, "%%%" + rest, "\xef\xbb\xbf%" + rest,
        std::string("%%matrixmarket Matrix coordinate pattern symmetric\n6 6 3\n2 1\n3 1\n4 3")}) {
    for (const std::string& bytes : {text, gzip(text)}) {
      const memory_file file(bytes);
      const whole_graph g = read_whole_graph(file.path());
      ASSERT_TRUE(g.header) << text;
      EXPECT_EQ(g.header->vertices, 6U);
      EXPECT_TRUE(g.header->symmetric);
      EXPECT_EQ(g.edges, (edges{{2, 1}, {3, 1}, {4, 3}}));
    }
  }
  for (const char* before : {"\n", " ", "# graph\n", "% graph\n"}) {
    EXPECT_NE(failure_of(std::string(before) + "%%" + rest)
                  .find(": a Matrix Market banner that is not the first line; remove"),
              std::string::npos);
  }
  EXPECT_EQ(edges_of("% MatrixMarketing\n%%MatrixMarketing\n%\n1 2\n"), (edges{{1, 2}}));
}

TEST(matrix_market, says_where_and_what_is_wrong) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(failure_of(head + "3 3 1\n1 4 1\n"),
            ":3:3: vertex 4 outside 1..3, which the header promises; correct the entry or the "
            "header");
  expect_start(failure_of(head + "3 3 1\n0 1 1\n"), ":3:1: vertex 0 outside 1..3, ");
  EXPECT_EQ(failure_of(head + "3 3 2\n1 1 1\n"),
            ": the header promises 2 entries, the file has 1; correct the header, or copy or make "
            "the file again");
  expect_start(failure_of(head + "3 3 0\n1 1 1\n"), ": the header promises 0 entries");
  expect_start(failure_of(head + "3 3 1\n1 1\n"), ":3:4: expected the entry's value, found");
  expect_start(failure_of(head + "3 3 1\n1 1 x\n"), ":3:5: expected the entry's value, found");
  expect_start(failure_of(head + "3 3 1\n1 1 1 1\n"), ":3:7: more numbers t");
  expect_start(failure_of(head + "3 4 1\n"), ":2:3: 3 rows but 4 columns");
  EXPECT_EQ(failure_of(head + "3 x 1\n"),
            ":2:3: expected the number of columns, found 'x'; "
            "correct or remove the line");
  expect_start(failure_of(head + "-3 -3 1\n"), ":2:1: negative size;");
  expect_start(failure_of(head + "3 3\n"), ":2:4: expected the number of entries, foun");
  EXPECT_EQ(failure_of(head),
            ": ends before the line with the matrix's size; copy or make the "
            "file again");
  EXPECT_EQ(failure_of("%%MatrixMarket matrix array real general\n3 3\n"),
            ":1:23: a dense matrix; write it in coordinate format, an entry a line");
  EXPECT_EQ(failure_of("%%MatrixMarket matrix coordinate real diagonal\n"),
            ":1:39: unknown symmetry 'diagonal'; use one of: general, symmetric, skew-symmetric, "
            "hermitian");
  expect_start(failure_of("%%MatrixMarket graph coordinate real general\n"),
               ":1:16: unknown object 'graph'");
  expect_start(failure_of("%%MatrixMarket\n"), ":1:1: a first line of 1 words;");
}

TEST(graph_reader, says_what_is_wrong_with_the_file) {
  const temporary_file file("");
  EXPECT_NE(message_of([&] { (void)read_whole_graph(file.folder()); }).find("is a directory"),
            std::string::npos);
  EXPECT_NE(message_of([&] { (void)read_whole_graph(file.path() + "2"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(failure_of(gzip("1 2\n").substr(0, 20)).find("gzip data ends too early"),
            std::string::npos);
  EXPECT_NE(failure_of(xz("1 2\n").substr(0, 40)).find("xz data ends too early"),
            std::string::npos);
}

// The result of all parts; in file order if the file is divided into ranges.
struct all_parts {
  edges found;
  std::string failure;  // the one with the smallest offset
};

all_parts read_parts(const std::string& path, std::size_t count, std::size_t piece) {
  all_parts all;
  std::uint64_t first_failure = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t entries = 0;
  std::optional<graph_header> header;
  for (std::size_t index = 0; index < count; ++index) {
    try {
      graph_reader reader(path, plan_input(path), {index, count},
                          {.input = {.piece_bytes = piece}});
      while (reader.read(all.found)) {
      }
      header = reader.header();
      entries += reader.entries();
    } catch (const input_error& error) {
      if (error.offset() >= first_failure) continue;
      first_failure = error.offset();
      all.failure = error.what();
    }
  }
  if (all.failure.empty()) {
    all.failure = message_of([&] { check_entries(path, header, entries); });
  }
  return all;
}

TEST(graph_reader, adds_up_over_parts) {
  const std::vector<std::string> texts = {
      "1 2\n3 4\n5 6\n7 8\n",
      "# c\n\n1 2\r\n-3 4\n\n\n5 6",
      "1 2",
      "",
      "%%MatrixMarket matrix coordinate pattern general\n% c\n9 9 3\n1 2\n3 4\n9 9\n",
      "%%MatrixMarket matrix coordinate real symmetric\n2 2 0\n",
      "\xef\xbb\xbf%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 2\n3 4\n9 9\n",
      "\xef\xbb\xbf"
      "1 2\n3 4\n",
      "\xef\xbb\xbf"
      "1 2\n3 x\n5 6\n",
      "1 2\n3 4\n5 x\n7 y\n",
      "%%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 2\n",
      "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n1 4\n",
      "%%MatrixMarket matrix coordinate pattern general\n% never a size\n"};
  for (const std::string& text : texts) {
    const memory_file plain(text);
    edges expected;
    const std::string failure =
        message_of([&] { expected = read_whole_graph(plain.path()).edges; });
    std::sort(expected.begin(), expected.end());
    for (const std::string& bytes : {text, gzip(text), xz(text)}) {
      const memory_file file(bytes);
      for (std::size_t count = 1; count <= 9; count += bytes == text ? 1U : 3U) {
        for (const std::size_t piece : {1U, 4U, 64U, 4096U}) {
          all_parts all = read_parts(file.path(), count, piece);
          if (failure.empty()) {
            std::sort(all.found.begin(), all.found.end());
            EXPECT_EQ(all.found, expected);
            EXPECT_EQ(all.failure, "");
          } else {
            EXPECT_EQ(all.failure.substr(file.path().size()), failure.substr(plain.path().size()));
          }
        }
      }
    }
  }
}

TEST(graph_reader, reads_pipes) {
  for (const std::string text :
       {"1 2\n3 4\n", "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n3 4\n"}) {
    for (const std::string& bytes : {text, gzip(text)}) {
      const temporary_file file("");
      const std::string pipe = file.folder() + "/pipe";
      ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
      const auto writer = std::async(std::launch::async, [&] { std::ofstream(pipe) << bytes; });
      graph_reader reader(pipe, plan_input(pipe), {0, 3}, {.input = {.piece_bytes = 5}});
      edges found;
      while (reader.read(found)) {
      }
      EXPECT_EQ(found, (edges{{1, 2}, {3, 4}}));
      EXPECT_EQ(reader.header().has_value(), text[0] == '%');
    }
  }
}

TEST(graph_reader, reads_the_examples) {
  const whole_graph g = read_whole_graph(source_file("test/data/graph/example.txt"));
  EXPECT_EQ(g.edges.size(), 9U);
  EXPECT_EQ(g.names.at(-3), "minus three");
  EXPECT_EQ(read_whole_graph(source_file("test/data/graph/crlf.txt")).edges,
            (edges{{1, 2}, {2, 3}, {3, 1}}));
  EXPECT_EQ(read_whole_graph(source_file("test/data/graph/weighted.txt")).edges,
            (edges{{1, 2}, {2, 3}}));
  EXPECT_EQ(read_whole_graph(source_file("test/data/graph/general.mtx")).header->vertices, 5U);
  EXPECT_EQ(read_whole_graph(source_file("test/data/graph/symmetric.mtx")).edges,
            (edges{{2, 1}, {3, 2}, {5, 4}}));
}

}  // namespace
}  // namespace far::apps
