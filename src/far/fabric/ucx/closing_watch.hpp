#pragma once

#include <vector>

namespace far::fabric::ucx {

/// Used around the end of a PMIx session: finds the connections that this closes, and waits until
/// the launcher's server has closed its side of them too. If a PMIx 4.2 server notices the end only
/// after this process has connected again, it ends the new session, and some rank's fence never
/// completes.
class closing_watch {
 public:
  /// Construct it before the session ends: it records the TCP connections of this process.
  closing_watch();
  ~closing_watch();
  closing_watch(const closing_watch&) = delete;
  closing_watch& operator=(const closing_watch&) = delete;

  /// Call it after the session has ended. Waits at most one second.
  void wait() const noexcept;

 private:
  struct connection {
    int original;
    int copy;  // keeps the socket open, so that its state can be read
  };

  std::vector<connection> connections_;
};

}  // namespace far::fabric::ucx
