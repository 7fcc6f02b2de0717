#include "far/launch/signals.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::launch {

signal_queue::signal_queue() {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGCHLD);
  sigaddset(&wanted, SIGQUIT);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    // Signals that the user has ignored (nohup, a script's background job) stay ignored.
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaddset(&wanted, signal);
  }
  sigprocmask(SIG_BLOCK, &wanted, &before_);
  descriptor_ = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ < 0) {
    throw fabric_error(fmt::format("cannot receive signals: {}", std::strerror(errno)));
  }
}

signal_queue::~signal_queue() {
  while (next()) {
    // Discards signals that arrived too late: unblocked, they would end this process.
  }
  close(descriptor_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<signalfd_siginfo> signal_queue::next() {
  signalfd_siginfo info{};
  if (read(descriptor_, &info, sizeof(info)) != sizeof(info)) return std::nullopt;
  return info;
}

}  // namespace far::launch
