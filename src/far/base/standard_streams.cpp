#include "far/base/standard_streams.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::base {
namespace {

/// Opens what behaves as a closed descriptor: it can neither be read nor written, nor can its name,
/// such as /dev/stdin, be opened. (With /dev/null that would succeed, and a program that was told
/// to read /dev/stdin would find it empty.) Returns the lowest descriptor, or -1.
int open_unusable(int stream) noexcept {
  const int nameless = epoll_create1(EPOLL_CLOEXEC);
  if (nameless < 0) return -1;
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "/proc/self/fd/%d", nameless);
  const int path = open(name.data(), O_PATH);
  close(nameless);
  // Without /proc the names of the streams cannot be opened either.
  if (path < 0) return open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  const int held = fcntl(path, F_DUPFD, 0);
  close(path);
  return held;
}

}  // namespace

void hold_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int held = open_unusable(stream);
    if (held < 0) {
      throw fabric_error(
          fmt::format("standard descriptor {} is closed, and nothing can take its place: {}",
                      stream, std::strerror(errno)));
    }
    if (held != stream) close(held);  // another thread has just opened `stream`
  }
}

void flush_standard_output() {
  errno = 0;
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fflush(stdout) == 0 && !failed_before) return;
  // An earlier failure has left no errno, but a closed descriptor still fails and sets it.
  const bool known = errno != 0 || write(STDOUT_FILENO, "", 0) < 0;
  throw error(fmt::format("cannot write to standard output: {}",
                          known ? std::strerror(errno) : "some of it was lost"));
}

}  // namespace far::base
