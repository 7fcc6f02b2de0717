#include "bench/kv/load_generator.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "bench/kv/server_process.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

constexpr int patience_ms = 10'000;

[[noreturn]] void fail_connection(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0) fail_connection("cannot send to the server");
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

load_generator::load_generator(std::uint16_t port, int connections,
                               const std::vector<request_batch>& batches)
    : batches_(batches),
      poll_(epoll_create1(EPOLL_CLOEXEC)),
      connections_(static_cast<std::size_t>(connections)),
      buffer_(std::size_t{1} << 18) {
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    connections_[i].socket = connect_to(port);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    if (epoll_ctl(poll_, EPOLL_CTL_ADD, connections_[i].socket, &event) != 0) {
      fail_connection("cannot wait for a connection");
    }
  }
}

load_generator::~load_generator() {
  for (const connection& one : connections_) close(one.socket);
  close(poll_);
}

void load_generator::run(std::size_t count) {
  std::size_t started = 0;
  std::size_t done = 0;
  for (connection& one : connections_) {
    if (started == count) break;
    send_next(one);
    ++started;
  }
  std::array<epoll_event, 64> events;
  while (done < count) {
    const int ready =
        epoll_wait(poll_, events.data(), static_cast<int>(events.size()), patience_ms);
    if (ready == 0) throw error("the server has not answered for ten seconds");
    if (ready < 0 && errno != EINTR) fail_connection("cannot wait for replies");
    for (int i = 0; i < ready; ++i) {
      connection& one = connections_[events[static_cast<std::size_t>(i)].data.u64];
      if (!receive(one)) continue;
      ++done;
      if (started == count) continue;
      send_next(one);
      ++started;
    }
  }
}

void load_generator::send_next(connection& to) {
  to.current = &batches_[next_++ % batches_.size()];
  to.received = 0;
  send_all(to.socket, to.current->sent);
}

bool load_generator::receive(connection& from) {
  const ssize_t n = recv(from.socket, buffer_.data(), buffer_.size(), 0);
  if (n < 0) fail_connection("cannot receive from the server");
  const std::string_view part(buffer_.data(), static_cast<std::size_t>(n));
  if (from.current == nullptr || n == 0 ||
      std::string_view(from.current->expected).substr(from.received, part.size()) != part) {
    throw error(
        fmt::format("the server has not answered as expected, but '{}'", part.substr(0, 100)));
  }
  from.received += part.size();
  return from.received == from.current->expected.size();
}

std::string ask_server(std::uint16_t port, std::string text) {
  const int socket = connect_to(port);
  std::jthread sender([socket, &text] {  // the server may wait until its replies are read
    try {
      send_all(socket, text);
    } catch (const std::system_error&) {  // what it has answered is still to be read
    }
    shutdown(socket, SHUT_WR);
  });
  std::string reply;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t n = recv(socket, buffer.data(), buffer.size(), 0);
    if (n <= 0) break;
    reply.append(buffer.data(), static_cast<std::size_t>(n));
  }
  sender.join();
  close(socket);
  return reply;
}

}  // namespace far::bench
