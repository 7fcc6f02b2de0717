#pragma once

#include <vector>

namespace far::fabric::ucx {

/// Around the end of a PMIx session: sees which connections that closes, and waits until their
/// other end, the launcher's server, has closed them too. A server of PMIx 4.2 that hears of the
/// end only after this process has come back takes that for the end of what came back, and
/// somebody's fence never ends.
class closing_watch {
 public:
  /// Before: remembers the connections that this process has.
  closing_watch();
  ~closing_watch();
  closing_watch(const closing_watch&) = delete;
  closing_watch& operator=(const closing_watch&) = delete;

  /// After: waits, for a second at most.
  void wait() const noexcept;

 private:
  struct connection {
    int original;
    int copy;  // keeps what the system knows of it
  };

  std::vector<connection> connections_;
};

}  // namespace far::fabric::ucx
