#include "bindings/kv/listener.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::kv {
namespace {

[[noreturn]] void refuse(const std::string& address, const char* what) {
  throw error(fmt::format("cannot listen on {}: {}", address, what));
}

/// Splits "host:port", "[host]:port", "host". An address of IPv6 without brackets has no port.
std::pair<std::string, std::string> split(const std::string& address, int port) {
  const std::string usual = std::to_string(port);
  if (address.starts_with('[')) {
    const std::size_t end = address.find(']');
    if (end == std::string::npos) refuse(address, "there is no ]");
    const bool has_port = end + 1 < address.size() && address[end + 1] == ':';
    return {address.substr(1, end - 1), has_port ? address.substr(end + 2) : usual};
  }
  const std::size_t colon = address.find(':');
  if (colon == std::string::npos || address.rfind(':') != colon) return {address, usual};
  return {address.substr(0, colon), address.substr(colon + 1)};
}

descriptor open_address(const std::string& address, const addrinfo& at, int backlog) {
  descriptor opened(
      socket(at.ai_family, at.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at.ai_protocol));
  if (!opened.is_open()) refuse(address, std::strerror(errno));
  const int on = 1;
  if (at.ai_family == AF_INET6) {
    setsockopt(opened.number(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  }
  // Connections of an earlier server that are still closing do not matter.
  setsockopt(opened.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(opened.number(), at.ai_addr, at.ai_addrlen) != 0 ||
      listen(opened.number(), backlog) != 0) {
    refuse(address, std::strerror(errno));
  }
  return opened;
}

void open_host(const std::string& address, const kv_server_options& asked,
               std::vector<descriptor>& to) {
  const auto [host, port] = split(address, asked.port);
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const bool any = host.empty() || host == "*";
  const int failure = getaddrinfo(any ? nullptr : host.c_str(), port.c_str(), &hints, &found);
  if (failure != 0) refuse(address, gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const std::string stated = fmt::format("{}, port {}", any ? "all addresses" : host, port);
    to.push_back(open_address(stated, *at, asked.backlog));
  }
}

/// Removes the socket that a server has left behind which runs no more.
void remove_stale(const sockaddr_un& at) {
  struct stat found {};
  if (lstat(at.sun_path, &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  const descriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto* const address = reinterpret_cast<const sockaddr*>(&at);
  if (connect(probe.number(), address, sizeof(at)) != 0 && errno == ECONNREFUSED) {
    unlink(at.sun_path);
  }
}

descriptor open_path(const kv_server_options& asked) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (asked.socket_path.size() >= sizeof(at.sun_path)) {
    refuse(asked.socket_path, "the path is too long for a Unix socket");
  }
  asked.socket_path.copy(at.sun_path, asked.socket_path.size());
  remove_stale(at);
  descriptor opened(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!opened.is_open()) refuse(asked.socket_path, std::strerror(errno));
  const mode_t before = umask(~asked.socket_mode & 0777U);
  const int bound = bind(opened.number(), reinterpret_cast<const sockaddr*>(&at), sizeof(at));
  const int failure = errno;
  umask(before);
  if (bound != 0) refuse(asked.socket_path, std::strerror(failure));
  if (listen(opened.number(), asked.backlog) != 0) {
    refuse(asked.socket_path, std::strerror(errno));
  }
  return opened;
}

std::string text_of(const sockaddr_storage& at) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (at.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(at);
    inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    return fmt::format("{}:{}", text.data(), ntohs(v4.sin_port));
  }
  if (at.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(at);
    inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    return fmt::format("[{}]:{}", text.data(), ntohs(v6.sin6_port));
  }
  const auto& local = reinterpret_cast<const sockaddr_un&>(at);
  return local.sun_path[0] == '\0' ? fmt::format("<AF {}>", at.ss_family) : local.sun_path;
}

sockaddr_storage name_of(int socket, bool of_peer) {
  sockaddr_storage at{};
  socklen_t size = sizeof(at);
  auto* const to = reinterpret_cast<sockaddr*>(&at);
  static_cast<void>(of_peer ? getpeername(socket, to, &size) : getsockname(socket, to, &size));
  return at;
}

}  // namespace

descriptor& descriptor::operator=(descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = other.release();
  }
  return *this;
}

int descriptor::release() noexcept { return std::exchange(number_, -1); }

void descriptor::close() noexcept {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

std::vector<descriptor> open_listeners(const kv_server_options& asked) {
  std::vector<descriptor> opened;
  if (!asked.socket_path.empty()) {
    opened.push_back(open_path(asked));
  } else {
    for (const std::string& address : asked.addresses) open_host(address, asked, opened);
  }
  return opened;
}

std::string address_of(int socket) { return text_of(name_of(socket, false)); }

std::string stated_address(int socket, bool of_peer) {
  const sockaddr_storage at = name_of(socket, of_peer);
  const char* const kind = at.ss_family == AF_INET    ? "tcp"
                           : at.ss_family == AF_INET6 ? "tcp6"
                                                      : "unix";
  return fmt::format("{}:{}", kind, text_of(at));
}

std::string stated_client(int socket) {
  const sockaddr_storage at = name_of(socket, true);
  if (at.ss_family != AF_INET && at.ss_family != AF_INET6) {
    return "rip=unix rport=0 transport=local";
  }
  char host[NI_MAXHOST] = "";
  char port[NI_MAXSERV] = "";
  getnameinfo(reinterpret_cast<const sockaddr*>(&at), sizeof(at), host, sizeof(host), port,
              sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
  return fmt::format("rip={} rport={} transport=tcp", host, port);
}

}  // namespace far::kv
