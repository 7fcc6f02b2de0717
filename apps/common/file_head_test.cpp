// Detection by a file's first bytes: unsupported archives and packings, byte order marks.
#include "apps/common/file_head.hpp"

#include <gtest/gtest.h>

#include "apps/common/input_file.hpp"
#include "apps/common/test_files.hpp"

namespace far::apps {
namespace {

using testing::gzip;
using testing::memory_file;
using testing::message_of;
using testing::xz;

// A tar archive that holds one file of 4 bytes; `magic` is empty in the oldest format.
std::string tar(std::string_view magic) {
  std::string header(512, '\0');
  const auto put = [&header](std::size_t at, std::string_view text) {
    header.replace(at, text.size(), text);
  };
  put(0, "graph/graph.mtx");
  put(100, "0000644");
  put(108, "0001750");
  put(116, "0001750");
  put(124, "00000000004");
  put(136, "14524200000");
  put(148, "        ");
  put(156, "0");
  put(257, magic);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum) + std::string(1, '\0'));
  return header + "1 2\n" + std::string(508 + 1024, '\0');
}

// The error message of planning and reading the whole file.
std::string head_failure_of(std::string_view bytes) {
  const memory_file file(bytes);
  const std::string message = message_of([&] {
    input_file input(file.path(), plan_input(file.path()), {});
    input_piece piece;
    while (input.next(piece)) {
    }
  });
  return message.empty() ? message : message.substr(file.path().size());
}

TEST(file_head, refuses_archives_packed_or_not) {
  using namespace std::string_literals;
  for (const std::string& archive : {tar("ustar\0"
                                         "00"s),
                                     tar("ustar  \0"s), tar("")}) {
    for (const std::string& bytes : {archive, gzip(archive), xz(archive)}) {
      EXPECT_EQ(
          head_failure_of(bytes),
          ": is a tar archive, which is not read; unpack it with tar xf, and give a file that "
          "was in it");
    }
  }
  std::string other = tar("");
  other[0] = 'h';  // the sum no longer matches
  EXPECT_EQ(head_failure_of(other), "");
  EXPECT_EQ(head_failure_of(std::string(2000, '\0')), "");
  EXPECT_EQ(head_failure_of(std::string(2000, ' ')), "");
}

TEST(file_head, refuses_what_is_packed_twice) {
  for (const std::string& once : {gzip("1 2\n"), xz("1 2\n")}) {
    EXPECT_EQ(head_failure_of(once), "");
    EXPECT_EQ(head_failure_of(gzip(once)),
              ": holds data that is packed twice; unpack it once, and give the result");
  }
  EXPECT_EQ(head_failure_of(gzip("BZh91AY&SY rest")),
            ": is packed with bzip2, which is not read; unpack it with bunzip2, or repack it with "
            "gzip or xz");
}

TEST(file_head, refuses_utf_16) {
  using namespace std::string_literals;
  for (const std::string& text : {"\xff\xfe"
                                  "1\0 \0"s,
                                  "\xfe\xff"
                                  "\0"
                                  "1\0 "s}) {
    for (const std::string& bytes : {text, gzip(text)}) {
      EXPECT_EQ(head_failure_of(bytes),
                ": starts with the byte order mark of UTF-16, which is not read; convert it with "
                "iconv -f UTF-16 -t UTF-8");
    }
  }
}

TEST(file_head, counts_text_from_after_a_byte_order_mark) {
  const std::string text =
      "\xef\xbb\xbf"
      "ab\ncd\n";
  for (const std::string& bytes : {text, gzip(text), xz(text)}) {
    const memory_file file(bytes);
    for (std::size_t count = 1; count <= 12; ++count) {
      std::string together;
      for (std::size_t index = 0; index < count; ++index) {
        input_file input(file.path(), plan_input(file.path()), {index, count}, {.piece_bytes = 2});
        input_piece piece;
        while (!input.done() && input.next(piece)) {
          if (!piece.owned) continue;
          together.resize(std::max(together.size(),
                                   static_cast<std::size_t>(piece.offset) + piece.bytes.size()));
          together.replace(static_cast<std::size_t>(piece.offset), piece.bytes.size(), piece.bytes);
        }
      }
      EXPECT_EQ(together, "ab\ncd\n");
    }
    EXPECT_EQ(locate(file.path(), 4), (text_position{2, 2}));
  }
}

}  // namespace
}  // namespace far::apps
