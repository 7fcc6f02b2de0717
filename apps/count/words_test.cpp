// Words are runs of non-whitespace bytes, however the file is divided.
#include "apps/count/words.hpp"

#include <random>

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"
#include "apps/count/oracle.hpp"

namespace far::apps {
namespace {

using testing::gzip;
using testing::memory_file;
using testing::source_file;
using testing::xz;

oracle::counts<std::string> count_parts(const std::string& path, std::size_t count,
                                        std::size_t piece) {
  oracle::counts<std::string> counted;
  for (std::size_t index = 0; index < count; ++index) {
    word_reader reader(path, plan_input(path), {index, count}, {.piece_bytes = piece});
    while (reader.read([&](std::string_view word) { ++counted[std::string(word)]; })) {
    }
  }
  return counted;
}

oracle::counts<std::string> count_whole(std::string_view text) {
  oracle::counts<std::string> counted;
  oracle::count_words(text, counted);
  return counted;
}

TEST(words, are_what_whitespace_separates) {
  std::vector<std::string> found;
  for_each_word("  The the\tTHE\n\n a\vb\fc\rd  x,y\xff ",
                [&](std::string_view word) { found.emplace_back(word); });
  EXPECT_EQ(found, (std::vector<std::string>{"The", "the", "THE", "a", "b", "c", "d", "x,y\xff"}));
  found.clear();
  for (const char* nothing : {"", " ", "\n\t "}) {
    for_each_word(nothing, [&](std::string_view word) { found.emplace_back(word); });
  }
  EXPECT_TRUE(found.empty());
}

TEST(words, keep_zero_bytes) {
  const std::string text("a\0b a\0b", 7);
  EXPECT_EQ(count_whole(text).at(std::string("a\0b", 3)), 2U);
  const memory_file file(text);
  EXPECT_EQ(count_parts(file.path(), 2, 2), count_whole(text));
}

TEST(words, are_counted_once_however_a_file_is_divided) {
  for (const char* text :
       {"", "a", " a", "a ", "one two three", "\n\none\r\ntwo  two\tthree\n",
        "averylongwordindeed and averylongwordindeed", "a b c d e f g h i j k"}) {
    for (const std::string& bytes : {std::string(text), gzip(text), xz(text)}) {
      const memory_file file(bytes);
      for (std::size_t count = 1; count <= 9; count += bytes == text ? 1U : 3U) {
        for (const std::size_t piece : {1U, 2U, 3U, 7U, 100U}) {
          ASSERT_EQ(count_parts(file.path(), count, piece), count_whole(text)) << text;
        }
      }
    }
  }
}

TEST(words, leave_a_byte_order_mark_out) {
  using counts = oracle::counts<std::string>;
  for (const auto& [text, expected] :
       {std::pair<std::string, counts>{"\xef\xbb\xbfone two one", {{"one", 2}, {"two", 1}}},
        {"\xef\xbb\xbf", {}},
        {"\xef\xbb\xbf\n", {}},
        {"\xef\xbb\xbf a", {{"a", 1}}},
        {"\xef\xbb", {{"\xef\xbb", 1}}},
        {"a \xef\xbb\xbf", {{"a", 1}, {"\xef\xbb\xbf", 1}}}}) {
    for (const std::string& bytes : {text, gzip(text), xz(text)}) {
      const memory_file file(bytes);
      for (std::size_t count = 1; count <= 5; ++count) {
        for (const std::size_t piece : {1U, 2U, 100U}) {
          EXPECT_EQ(count_parts(file.path(), count, piece), expected);
        }
      }
      EXPECT_EQ(count_whole(oracle::read_text(file.path())), expected);
    }
  }
}

TEST(words, of_random_bytes_are_counted_like_the_oracle_does) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    std::string text(random() % 400, ' ');
    for (char& c : text) c = random() % 4 == 0 ? ' ' : static_cast<char>(random() % 5 * 3 + 7);
    const memory_file file(round % 3 == 0 ? gzip(text) : text);
    ASSERT_EQ(count_parts(file.path(), 1 + random() % 9, 1 + random() % 50), count_whole(text));
  }
}

TEST(words, of_the_example) {
  const auto counted = count_whole(oracle::read_text(source_file("test/data/count/words.txt")));
  EXPECT_EQ(oracle::total(counted), 11U);
  EXPECT_EQ(counted.size(), 10U);
  EXPECT_EQ(oracle::top(counted, 3),
            (std::vector<oracle::counted_item>{{"the", 2}, {"The", 1}, {"brown", 1}}));
}

TEST(words, without_end_are_refused) {
  const memory_file file("a " + std::string(longest_word + 1, 'x'));
  EXPECT_EQ(testing::message_of([&] { (void)count_parts(file.path(), 1, 256 * 1024); }),
            file.path() + ":1:3: a word of more than 16777216 bytes; is this a text file?");
}

}  // namespace
}  // namespace far::apps
