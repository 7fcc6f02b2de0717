#include "far/fabric/crash_site.hpp"

namespace far::fabric {
namespace {

// Signal handlers read it, so it must not be allocated at its first use.
[[gnu::tls_model("initial-exec")]] thread_local crash_locator* latest_locator = nullptr;

}  // namespace

crash_locator::crash_locator(const void* self, function locate) noexcept
    : self_(self), locate_(locate), before_(latest_locator) {
  latest_locator = this;
}

crash_locator::~crash_locator() { latest_locator = before_; }

crash_site crash_locator::find(const void* address) noexcept {
  const crash_locator* const latest = latest_locator;
  return latest == nullptr ? crash_site{} : latest->locate_(latest->self_, address);
}

}  // namespace far::fabric
