#pragma once
// Tells crash reports where a thread was, on fabrics whose ranks are not threads.

#include <cstddef>

#include "far/base/language.hpp"

namespace far::fabric {

struct crash_site {
  int rank = -1;               ///< -1: unknown
  std::size_t full_stack = 0;  ///< bytes of the rank's stack, if that has overflowed; else 0
};

/// While it exists, signal handlers on this thread find the crash site by locate(self, address of
/// the failed access). `locate` must be async-signal-safe.
class crash_locator {
 public:
  using function = crash_site (*)(const void* self, const void* address) noexcept;

  crash_locator(const void* self, function locate) noexcept;
  ~crash_locator();
  crash_locator(const crash_locator&) = delete;
  crash_locator& operator=(const crash_locator&) = delete;

  /// Async-signal-safe.
  [[nodiscard]] static crash_site find(const void* address) noexcept;

 private:
  const void* self_;
  function locate_;
  crash_locator* before_;
};

}  // namespace far::fabric
