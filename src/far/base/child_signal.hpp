#pragma once

#include <signal.h>

namespace far::base {

/// While it exists, this process learns how its children end. A process may be started with
/// SIGCHLD ignored (`trap '' CHLD`), or ignore it; then the system reaps its children unasked, and
/// no wait for one ever returns its status.
class child_signal {
 public:
  child_signal() noexcept {
    sigaction(SIGCHLD, nullptr, &before_);
    const bool handled = (before_.sa_flags & SA_SIGINFO) != 0 || before_.sa_handler != SIG_IGN;
    if (handled && (before_.sa_flags & SA_NOCLDWAIT) == 0) return;
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &standard, nullptr);
  }
  ~child_signal() { restore(); }
  child_signal(const child_signal&) = delete;
  child_signal& operator=(const child_signal&) = delete;

  /// Also for a child, before it executes a program.
  void restore() const noexcept { sigaction(SIGCHLD, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

}  // namespace far::base
