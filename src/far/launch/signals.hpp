#pragma once

#include <signal.h>
#include <sys/signalfd.h>

#include <optional>

#include "far/base/language.hpp"

namespace far::launch {

/// Whether this signal asks a launcher to end the job.
inline bool asks_to_end(int signal) noexcept {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
}

/// While it exists, a launcher's signals are blocked and read from a descriptor.
class signal_queue {
 public:
  signal_queue();
  ~signal_queue();
  signal_queue(const signal_queue&) = delete;
  signal_queue& operator=(const signal_queue&) = delete;

  /// Readable when a signal has arrived.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// The signal mask before this object was made.
  [[nodiscard]] const sigset_t& before() const noexcept { return before_; }
  [[nodiscard]] std::optional<signalfd_siginfo> next();

 private:
  sigset_t before_{};
  int descriptor_;
};

}  // namespace far::launch
