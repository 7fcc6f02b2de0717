#pragma once
// far-kv and a client of it, for tests.

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "test/apps/programs.hpp"

namespace far::test::kv {

/// One connection.
class client {
 public:
  explicit client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0);
  }
  explicit client(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, sizeof(at.sun_path) - 1);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0);
  }
  ~client() { close(socket_); }
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t went = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (went <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(went));
    }
  }
  /// Sends until the server takes no more for a while; returns how much it took.
  std::size_t flood(std::string_view bytes, std::size_t limit) {
    std::size_t sent = 0;
    pollfd ready{socket_, POLLOUT, 0};
    while (sent < limit && poll(&ready, 1, 500) > 0) {
      const ssize_t went = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (went <= 0) break;
      sent += static_cast<std::size_t>(went);
    }
    return sent;
  }
  /// Receives up to `end`, or until the server closes or says nothing for ten seconds.
  std::string receive(std::string_view end) {
    std::string got;
    pollfd ready{socket_, POLLIN, 0};
    while (!got.ends_with(end) && poll(&ready, 1, 10'000) > 0) {
      char bytes[65536];
      const ssize_t came = recv(socket_, bytes, sizeof(bytes), 0);
      if (came <= 0) return got + "<closed>";
      got.append(bytes, static_cast<std::size_t>(came));
    }
    return got;
  }
  std::string ask(std::string_view bytes, std::string_view end = "\r\n") {
    send(bytes);
    return receive(end);
  }

 private:
  int socket_;
};

/// A server on a free port.
class server {
 public:
  explicit server(const words& start, const words& more = {})
      : program_(with(with(start, {"-p", "0"}), more)) {
    EXPECT_TRUE(program_.wait_for_output("\n"));
    const std::string& said = program_.output();
    const std::string before = "far-kv listens on 127.0.0.1:";
    EXPECT_EQ(said.find(before), 0U) << said;
    if (said.starts_with(before)) port = std::atoi(said.c_str() + before.size());
  }
  /// Stops it by a signal, and expects that it ends as it should.
  void stop(int signal = SIGTERM) {
    program_.send(signal);
    const auto ended = program_.finish();
    EXPECT_EQ(ended.status, 0) << ended.errors;
    EXPECT_EQ(ended.errors, "");
  }
  [[nodiscard]] pid_t pid() const { return program_.pid(); }
  int port = 0;

 private:
  command program_;
};

class far_kv : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(built("far-kv"))) {
      GTEST_SKIP() << "built without far-kv, which needs Debian's libevent-dev";
    }
  }
};

inline std::vector<words> ways_to_serve() {
  return {{built("far-kv")},
          {built("far-kv"), "-t", "1"},
          far_run({"-n", "2", built("far-kv")}),
          far_run({"-n", "2", "--threads", built("far-kv")})};
}

}  // namespace far::test::kv
