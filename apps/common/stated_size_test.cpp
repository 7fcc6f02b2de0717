// Files whose reported size is wrong: all of their bytes are read, whatever size is reported.
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "apps/common/item_reader.hpp"
#include "apps/common/test_files.hpp"

namespace far::apps {
namespace {

using testing::gzip;
using testing::memory_file;

// The bytes that all parts of a file own together.
std::string read_parts(const std::string& path, const input_plan& plan, std::size_t count) {
  std::string text;
  for (std::size_t index = 0; index < count; ++index) {
    input_file input(path, plan, {index, count}, {.piece_bytes = 16});
    input_piece piece;
    while (!input.done() && input.next(piece)) {
      if (piece.owned) text += piece.bytes;
    }
  }
  return text;
}

std::string read_directly(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(stated_size, of_zero_does_not_end_a_file_of_proc) {
  const std::string path = "/proc/version";
  struct stat info = {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  ASSERT_EQ(info.st_size, 0);
  const std::string text = read_directly(path);
  ASSERT_FALSE(text.empty());
  for (const std::size_t count : {1U, 3U}) {
    EXPECT_EQ(read_parts(path, plan_input(path), count), text);
  }
}

TEST(stated_size, of_a_page_is_more_than_a_file_of_sys_has) {
  const std::string path = "/sys/devices/system/cpu/possible";
  struct stat info = {};
  const std::string text = read_directly(path);
  if (::stat(path.c_str(), &info) != 0 || static_cast<std::size_t>(info.st_size) == text.size()) {
    GTEST_SKIP() << path << " is absent here, or has the size that it tells";
  }
  EXPECT_EQ(read_parts(path, plan_input(path), 2), text);
}

// A file that changes after it was opened simulates a file system that reports an old size.
TEST(stated_size, is_not_believed_where_more_or_less_can_be_read) {
  for (const std::string& before : {std::string(), std::string("one "), std::string(100, 'x')}) {
    for (const std::string& text : {std::string("one two three"), gzip("one two three")}) {
      const memory_file file(before);
      const raw_file opened(file.path());
      file.write(text);
      ASSERT_NE(opened.size(), text.size());
      const input_plan plan = plan_input(opened);
      EXPECT_EQ(plan.kind, input_kind::stream);
      EXPECT_EQ(read_parts(file.path(), plan, 3), "one two three");
    }
  }
}

TEST(stated_size, is_believed_of_files_that_have_it) {
  for (const std::string& text : {std::string(), std::string("x"), std::string(5000, 'x')}) {
    const memory_file file(text);
    const input_plan plan = plan_input(file.path());
    EXPECT_EQ(plan.kind, input_kind::plain_file);
    EXPECT_EQ(plan.bytes, text.size());
  }
}

}  // namespace
}  // namespace far::apps
