// Every item is read exactly once and whole, however the file is divided.
#include "apps/common/item_reader.hpp"

#include <sys/stat.h>

#include <future>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"

namespace far::apps {
namespace {

using testing::gzip;
using testing::memory_file;
using testing::message_of;
using testing::temporary_file;
using testing::xz;

constexpr std::size_t no_limit = std::size_t{1} << 30;

struct found_items {
  std::vector<std::string> items;  // in the order of the file
  std::vector<std::uint64_t> offsets;
};

void add_items(std::string_view text, std::uint64_t offset, separator between, found_items& into) {
  const auto separates = [&](char c) {
    return between == separator::newline ? c == '\n' : is_whitespace(c);
  };
  EXPECT_TRUE(separates(text.back()));
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!separates(text[at])) continue;
    into.items.emplace_back(text.substr(begin, at - begin));
    into.offsets.push_back(offset + begin);
    begin = at + 1;
  }
}

found_items read_part(const std::string& path, file_part part, separator between,
                      std::size_t piece) {
  item_reader reader(path, plan_input(path), part, between, no_limit, {.piece_bytes = piece});
  found_items found;
  item_chunk chunk;
  while (reader.next(chunk)) add_items(chunk.text, chunk.offset, between, found);
  EXPECT_FALSE(reader.next(chunk));
  return found;
}

// The items of the whole text, without a reader.
found_items items_of(std::string text, separator between) {
  found_items found;
  if (text.empty()) return found;
  const char last = text.back();
  if (!(between == separator::newline ? last == '\n' : is_whitespace(last))) text += '\n';
  add_items(text, 0, between, found);
  return found;
}

const std::vector<std::string>& texts() {
  static const std::vector<std::string> all = {"",
                                               "\n",
                                               "a",
                                               "a\n",
                                               "\n\n\n",
                                               "a\nb\nc\n",
                                               "a\nb\nc",
                                               "ab\r\n",
                                               "one two\n",
                                               "\none  two",
                                               "  x  \n y",
                                               "abcdefghij",
                                               "a\tb\vc\fd\re f",
                                               "1 2\n3",
                                               "longer item\nthan the others\n",
                                               "x\n\ny\n\n\nz",
                                               "a\n\n"};
  return all;
}

TEST(item_reader, divides_every_text_at_every_offset) {
  for (const std::string& text : texts()) {
    for (const separator between : {separator::newline, separator::whitespace}) {
      const found_items whole = items_of(text, between);
      for (const std::string& bytes : {text, gzip(text), xz(text)}) {
        const memory_file file(bytes);
        for (std::size_t count = 1; count <= 9; count += bytes == text ? 1U : 3U) {
          for (const std::size_t piece : {1U, 3U, 5U, 100U}) {
            std::vector<std::pair<std::uint64_t, std::string>> together;
            for (std::size_t index = 0; index < count; ++index) {
              const found_items found = read_part(file.path(), {index, count}, between, piece);
              EXPECT_TRUE(std::is_sorted(found.offsets.begin(), found.offsets.end()));
              for (std::size_t i = 0; i < found.items.size(); ++i) {
                together.emplace_back(found.offsets[i], found.items[i]);
              }
            }
            std::sort(together.begin(), together.end());
            ASSERT_EQ(together.size(), whole.items.size()) << text << " in " << count;
            for (std::size_t i = 0; i < together.size(); ++i) {
              ASSERT_EQ(together[i].first, whole.offsets[i]);
              ASSERT_EQ(together[i].second, whole.items[i]);
            }
          }
        }
      }
    }
  }
}

TEST(item_reader, gives_a_line_to_the_owner_of_its_first_byte) {
  const memory_file file("aaaa\nbb\ncc\n");  // 11 bytes: parts own [0,6) and [6,11)
  EXPECT_EQ(read_part(file.path(), {0, 2}, separator::newline, 4).items,
            (std::vector<std::string>{"aaaa", "bb"}));
  EXPECT_EQ(read_part(file.path(), {1, 2}, separator::newline, 4).items,
            (std::vector<std::string>{"cc"}));
}

TEST(item_reader, divides_large_files_evenly) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(10000000 + i * 31) + '\n';
  const found_items whole = items_of(text, separator::newline);
  for (const std::string& bytes : {text, gzip(text)}) {
    const memory_file file(bytes);
    std::size_t items = 0;
    for (std::size_t index = 0; index < 3; ++index) {
      const auto found = read_part(file.path(), {index, 3}, separator::newline, 4096).items;
      EXPECT_NEAR(static_cast<double>(found.size()), 200000 / 3.0, 2000);
      items += found.size();
    }
    EXPECT_EQ(items, whole.items.size());
  }
}

TEST(item_reader, reads_a_pipe_as_part_0_alone) {
  const temporary_file file("");
  const std::string pipe = file.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(plan_input(pipe).kind, input_kind::stream);
  EXPECT_TRUE(read_part(pipe, {1, 2}, separator::newline, 10).items.empty());
  const auto writer = std::async(std::launch::async, [&] {
    std::ofstream(pipe, std::ios::binary) << gzip("one\ntwo\nthree");
  });
  EXPECT_EQ(read_part(pipe, {0, 2}, separator::newline, 4).items,
            (std::vector<std::string>{"one", "two", "three"}));
}

TEST(item_reader, says_where_a_byte_is) {
  const std::string text = "first\nsecond\n\nfourth";
  for (const std::string& bytes : {text, gzip(text), xz(text)}) {
    const memory_file file(bytes);
    for (std::size_t count = 1; count <= 4; ++count) {
      int told = 0;
      for (std::size_t index = 0; index < count; ++index) {
        item_reader reader(file.path(), plan_input(file.path()), {index, count}, separator::newline,
                           no_limit, {.piece_bytes = 3});
        item_chunk chunk;
        while (reader.next(chunk)) {
          const std::size_t at = chunk.text.find("urth");
          if (at == chunk.text.npos) continue;
          const std::string message =
              message_of([&] { reader.fail(chunk.offset + at, "what; do"); });
          EXPECT_EQ(message, file.path() + ":4:3: what; do");
          ++told;
        }
      }
      EXPECT_EQ(told, 1) << "of " << count;
    }
  }
}

TEST(item_reader, counts_lines_of_a_pipe) {
  const temporary_file file("");
  const std::string pipe = file.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto writer = std::async(std::launch::async,
                                 [&] { std::ofstream(pipe) << "first\nsecond\n\nfourth\nfifth"; });
  item_reader reader(pipe, plan_input(pipe), {}, separator::newline, no_limit, {.piece_bytes = 4});
  item_chunk chunk;
  bool found = false;
  while (reader.next(chunk)) {
    const std::size_t at = chunk.text.find("fth");
    if (at == chunk.text.npos) continue;
    found = true;
    EXPECT_EQ(message_of([&] { reader.fail(chunk.offset + at, "what"); }), pipe + ":5:3: what");
  }
  EXPECT_TRUE(found);
}

TEST(item_reader, refuses_items_without_end) {
  for (const std::string& text : {std::string(5000, 'x'), "ok\n" + std::string(5000, 'x') + "\n"}) {
    for (const std::string& bytes : {text, gzip(text)}) {
      const memory_file file(bytes);
      for (std::size_t count = 1; count <= 3; ++count) {
        std::string failures;
        for (std::size_t index = 0; index < count; ++index) {
          failures += message_of([&] {
            item_reader reader(file.path(), plan_input(file.path()), {index, count},
                               separator::newline, 4000, {.piece_bytes = 100});
            item_chunk chunk;
            while (reader.next(chunk)) {
            }
          });
        }
        const std::string line = text[0] == 'o' ? "2" : "1";
        EXPECT_EQ(failures, file.path() + ":" + line +
                                ":1: a line of more than 4000 bytes; is this a text file?");
      }
    }
  }
}

TEST(input_file, refuses_a_file_that_differs_between_ranks) {
  const memory_file file("12345");
  const input_plan plan = plan_input(file.path());
  file.write("123456");
  EXPECT_NE(message_of([&] { input_file(file.path(), plan, {}); }).find("all ranks see alike"),
            std::string::npos);
}

TEST(input_file, notices_a_file_that_shrinks) {
  const memory_file file(std::string(1000, 'x'));
  input_file input(file.path(), plan_input(file.path()), {}, {.piece_bytes = 100});
  input_piece piece;
  ASSERT_TRUE(input.next(piece));
  file.write("short");
  EXPECT_NE(message_of([&] { input.next(piece); }).find("became shorter"), std::string::npos);
}

TEST(input_file, reports_progress_up_to_its_share) {
  const std::string text(1000, 'x');
  for (const std::string& bytes : {text, gzip(text)}) {
    const memory_file file(bytes);
    for (std::size_t index = 0; index < 3; ++index) {
      std::uint64_t done = 0, total = 0;
      input_settings settings{.piece_bytes = 64};
      settings.on_progress = [&](std::uint64_t d, std::uint64_t t) {
        EXPECT_GE(d, done);
        done = d, total = t;
      };
      input_file input(file.path(), plan_input(file.path()), {index, 3}, std::move(settings));
      input_piece piece;
      while (!input.done() && input.next(piece)) {
      }
      EXPECT_EQ(done, total);
      EXPECT_EQ(total, bytes == text ? (index == 0 ? 334U : 333U) : bytes.size());
    }
  }
}

TEST(byte_range, covers_every_byte_once) {
  for (std::uint64_t bytes = 0; bytes < 40; ++bytes) {
    for (std::size_t count = 1; count < 12; ++count) {
      std::uint64_t next = 0;
      for (std::size_t index = 0; index < count; ++index) {
        const byte_range range = contiguous_range(bytes, {index, count});
        EXPECT_EQ(range.begin, next);
        EXPECT_LE(range.size(), bytes / count + 1);
        next = range.end;
      }
      EXPECT_EQ(next, bytes);
    }
  }
  const std::uint64_t huge = std::uint64_t{1} << 62;
  EXPECT_EQ(contiguous_range(huge, {6, 7}).end, huge);
}

TEST(locate, counts_lines_and_columns_from_one) {
  const memory_file file("ab\n\ncd");
  EXPECT_EQ(locate(file.path(), 0), (text_position{1, 1}));
  EXPECT_EQ(locate(file.path(), 2), (text_position{1, 3}));
  EXPECT_EQ(locate(file.path(), 3), (text_position{2, 1}));
  EXPECT_EQ(locate(file.path(), 4), (text_position{3, 1}));
  EXPECT_EQ(locate(file.path(), 5), (text_position{3, 2}));
}

}  // namespace
}  // namespace far::apps
