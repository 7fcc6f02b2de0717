// Unpacking: valid data yields the text; truncated or damaged data yields an error.
#include "apps/common/byte_stream.hpp"

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

std::string read_all(const std::string& path, std::size_t at_once = 1000) {
  const auto stream = open_stream(raw_file(path));
  std::string text;
  std::vector<char> buffer(at_once);
  for (;;) {
    const std::size_t got = stream->read(buffer);
    text.append(buffer.data(), got);
    if (got < buffer.size()) break;
  }
  EXPECT_EQ(stream->read(buffer), 0U) << "bytes after the end";
  return text;
}

std::string text_from(std::string_view bytes, std::size_t at_once = 1000) {
  const memory_file file(bytes);
  return read_all(file.path(), at_once);
}

std::string failure_of(std::string_view bytes) {
  const memory_file file(bytes);
  return message_of([&] { (void)read_all(file.path()); });
}

std::string sample(std::size_t bytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random() % 5000) + '\n';
  return text.substr(0, bytes);
}

TEST(byte_stream, reads_every_packing_at_every_size) {
  for (const std::size_t bytes :
       {0U, 1U, 2U, 5U, 9U, 10U, 11U, 999U, 1000U, 1001U, 65536U, 300000U}) {
    const std::string text = sample(bytes);
    for (const std::size_t at_once : {1U, 1000U, 100000U}) {
      if (at_once == 1 && bytes > 2000) continue;
      EXPECT_EQ(text_from(text, at_once), text);
      EXPECT_EQ(text_from(gzip(text), at_once), text);
      EXPECT_EQ(text_from(xz(text), at_once), text);
    }
  }
}

TEST(byte_stream, joins_members_and_skips_padding) {
  const std::string a = sample(100000), b = sample(77);
  EXPECT_EQ(text_from(gzip(a) + gzip("") + gzip(b)), a + b);
  EXPECT_EQ(text_from(gzip(a) + std::string(100000, '\0')), a);
  EXPECT_EQ(text_from(xz(a) + xz("") + xz(b)), a + b);
  EXPECT_EQ(text_from(xz(a) + std::string(8, '\0') + xz(b)), a + b);
}

TEST(byte_stream, refuses_what_follows_packed_text) {
  EXPECT_NE(failure_of(gzip("1 2\n") + "rest").find("something else follows"), std::string::npos);
  for (const char* rest : {"r", "rest", "something longer than a header of xz"}) {
    EXPECT_NE(failure_of(xz("1 2\n") + rest).find("something else follows"), std::string::npos);
    EXPECT_NE(failure_of(xz("1 2\n") + std::string(8, '\0') + rest).find("something else"),
              std::string::npos);
  }
}

TEST(byte_stream, names_the_unpacker_of_foreign_packings) {
  using namespace std::string_literals;
  EXPECT_NE(failure_of("BZh91AY&SY rest").find("bunzip2"), std::string::npos);
  EXPECT_NE(failure_of("PK\x03\x04"s).find("unzip"), std::string::npos);
  EXPECT_NE(failure_of("\x28\xb5\x2f\xfd"s).find("unzstd"), std::string::npos);
  EXPECT_EQ(failure_of("BZh9 is a word"), "");
}

TEST(byte_stream, tells_every_truncation) {
  const std::string text = sample(500);
  for (const std::string& packed :
       {gzip(text), xz(text), gzip(text) + gzip("x"), xz(text) + xz("x")}) {
    const std::size_t first_member = packed[0] == '\x1f' ? gzip(text).size() : xz(text).size();
    for (std::size_t cut = 2; cut < packed.size(); ++cut) {
      if (cut == first_member) continue;  // a complete file
      const std::string failure = failure_of(packed.substr(0, cut));
      EXPECT_NE(failure.find("ends too early"), std::string::npos) << cut << ": " << failure;
    }
  }
}

TEST(byte_stream, survives_every_damaged_byte) {
  const std::string text = sample(400);
  for (const std::string& packed : {gzip(text), xz(text)}) {
    for (std::size_t at = 0; at < packed.size(); ++at) {
      for (const int flip : {0x01, 0x80, 0xff}) {
        std::string damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        const memory_file file(damaged);
        std::string out;
        const std::string failure = message_of([&] { out = read_all(file.path()); });
        // Without its magic the file is plain text; some header bytes of gzip (time, system) may
        // have any value.
        EXPECT_TRUE(!failure.empty() || out == damaged || out == text) << "byte " << at;
      }
    }
  }
}

TEST(byte_stream, reads_random_bytes_as_they_are) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(random() % 200, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const bool seems_packed = round % 3 == 0;
    if (seems_packed) bytes.insert(0, "\x1f\x8b\x08");
    const memory_file file(bytes);
    std::string out;
    const std::string failure = message_of([&] { out = read_all(file.path()); });
    if (seems_packed) {
      EXPECT_TRUE(failure.starts_with(file.path())) << failure;
    } else {
      EXPECT_EQ(failure, "");
      EXPECT_EQ(out, bytes);
    }
  }
}

TEST(raw_file, says_what_is_wrong_with_a_path) {
  const temporary_file file("x");
  const std::string missing = message_of([&] { raw_file(file.path() + ".not"); });
  EXPECT_NE(missing.find("input.not: cannot open: No such file"), std::string::npos) << missing;
  EXPECT_NE(missing.find("; check the path"), std::string::npos) << missing;
  EXPECT_NE(message_of([&] { raw_file(file.path() + "/below"); }), "");
  EXPECT_EQ(message_of([] { raw_file(""); }),
            "'': cannot open: No such file or directory; check the path");
  const std::string folder = message_of([&] { raw_file(file.folder()); });
  EXPECT_NE(folder.find("is a directory; name a file"), std::string::npos) << folder;
}

TEST(raw_file, keeps_its_message_on_one_line) {
  EXPECT_EQ(message_of([] { raw_file("/no\nsuch\x1b[2Jfile"); }).substr(0, 24),
            "/no\\x0asuch\\x1b[2Jfile: ");
}

}  // namespace
}  // namespace far::apps
