#include "far/base/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::base {

void hold_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int held = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (held < 0) {
      throw fabric_error(fmt::format(
          "standard descriptor {} is closed, and /dev/null cannot be opened in its place: {}",
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
