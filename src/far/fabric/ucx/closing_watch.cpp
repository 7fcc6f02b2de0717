#include "far/fabric/ucx/closing_watch.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

namespace far::fabric::ucx {
namespace {

/// The kernel's state of a TCP connection; 0 if the descriptor is not one.
int tcp_state(int descriptor) noexcept {
  tcp_info info{};
  socklen_t bytes = sizeof(info);
  return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &bytes) == 0 ? info.tcpi_state : 0;
}

bool same_file(int a, int b) noexcept {
  struct stat one {};
  struct stat other {};
  return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev;
}

}  // namespace

closing_watch::closing_watch() {
  std::error_code failure;
  std::vector<int> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", failure)) {
    const std::string name = entry.path().filename().string();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (tcp_state(descriptor) == TCP_ESTABLISHED) all.push_back(descriptor);
  }
  constexpr int lowest = 3;
  for (const int descriptor : all) {
    const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
    if (copy >= 0) connections_.push_back({descriptor, copy});
  }
}

closing_watch::~closing_watch() {
  for (const connection& one : connections_) close(one.copy);
}

void closing_watch::wait() const noexcept {
  constexpr std::chrono::seconds longest{1};
  constexpr std::chrono::milliseconds between_polls{1};
  const auto end = std::chrono::steady_clock::now() + longest;
  for (const connection& one : connections_) {
    if (same_file(one.original, one.copy)) continue;  // still in use
    shutdown(one.copy, SHUT_WR);
    // Poll: the system does not signal the last states of a connection that is closed here.
    while (std::chrono::steady_clock::now() < end) {
      const int state = tcp_state(one.copy);
      if (state != TCP_FIN_WAIT1 && state != TCP_FIN_WAIT2) break;
      std::this_thread::sleep_for(between_polls);
    }
  }
}

}  // namespace far::fabric::ucx
