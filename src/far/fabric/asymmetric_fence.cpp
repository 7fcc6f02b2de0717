#include "far/fabric/asymmetric_fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "far/base/check.hpp"

namespace far::fabric {
namespace {

bool command(int which) noexcept { return syscall(SYS_membarrier, which, 0, 0) == 0; }

}  // namespace

bool has_asymmetric_fence() noexcept {
#ifdef __SANITIZE_THREAD__
  return false;
#else
  // Again after a fork, whose child is not registered; registering twice costs one system call.
  return command(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
#endif
}

void heavy_fence(bool asymmetric) noexcept {
  if (!asymmetric) return full_fence();
  FAR_CHECK(command(MEMBARRIER_CMD_PRIVATE_EXPEDITED),
            "membarrier fails, for which this process has registered");
}

}  // namespace far::fabric
