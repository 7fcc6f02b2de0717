#include "far/launch/wire.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"

namespace far::launch {
namespace {

/// A pipe with a frame_reader at its read end.
class stream {
 public:
  stream() {
    EXPECT_EQ(pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK), 0);
    reader_.emplace(ends_[0]);
  }
  ~stream() {
    close(ends_[0]);
    end();
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  void write(std::string_view bytes) {
    EXPECT_EQ(::write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void end() {
    if (ends_[1] >= 0) close(std::exchange(ends_[1], -1));
  }
  frame_reader& reader() { return *reader_; }

 private:
  std::array<int, 2> ends_{};
  std::optional<frame_reader> reader_;
};

TEST(FleetWire, FramesComeWholeHoweverTheyAreCut) {
  const std::string sent = framed(frame_kind::said, {{"line", "a"}}) +
                           framed_bytes(frame_kind::output, "bytes\n") +
                           framed(frame_kind::heartbeat);
  for (std::size_t cut = 0; cut <= sent.size(); ++cut) {
    stream s;
    std::vector<frame> got;
    for (const std::string& part : {sent.substr(0, cut), sent.substr(cut)}) {
      if (!part.empty()) s.write(part);
      EXPECT_TRUE(s.reader().read_some());
      while (auto next = s.reader().next()) got.push_back(*next);
    }
    ASSERT_EQ(got.size(), 3u);
    EXPECT_EQ(got[0].parsed().at("line"), "a");
    EXPECT_EQ(got[1].bytes, "bytes\n");
    EXPECT_EQ(got[2].kind, frame_kind::heartbeat);
    s.end();
    EXPECT_FALSE(s.reader().read_some());
  }
}

TEST(FleetWire, WhatIsNoFrameIsRefusedAndQuoted) {
  stream s;
  s.write("Welcome to host b\nmore");
  EXPECT_TRUE(s.reader().read_some());
  try {
    (void)s.reader().next();
    FAIL() << "taken for a frame";
  } catch (const fabric_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("'Welcome to host b'"), std::string::npos);
  }
}

TEST(FleetWire, RandomBytesAreNoRecords) {
  base::random random(20261122);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random.below(40), '\0');
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    try {
      (void)frame{frame_kind::job, bytes}.parsed();
    } catch (const fabric_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 19000);
}

TEST(FleetWire, RandomHeadersAreRefusedOrWaitedFor) {
  base::random random(7);
  for (int i = 0; i < 2000; ++i) {
    stream s;
    std::string bytes = framed_bytes(frame_kind::output, std::string(random.below(64), 'x'));
    bytes[random.below(12)] = static_cast<char>(random.below(256));
    s.write(bytes.substr(0, 1 + random.below(bytes.size())));
    EXPECT_TRUE(s.reader().read_some());
    try {
      while (s.reader().next()) {
      }
    } catch (const fabric_error&) {
      // refused
    }
  }
}

}  // namespace
}  // namespace far::launch
