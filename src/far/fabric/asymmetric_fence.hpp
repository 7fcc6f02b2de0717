#pragma once
// A fence of which the frequent side pays nothing.
//
// Two threads each write one word and then read the other's; at least one must see the other's
// write. Usually both need a full fence between the write and the read. Here the frequent side
// calls light_fence, which only restrains the compiler, and the rare side calls heavy_fence, which
// makes every running thread of the process execute a full fence.

#include <atomic>

#include "far/fabric/copy.hpp"

namespace far::fabric {

/// Whether heavy_fence reaches the other threads of this process: Linux has membarrier's private
/// expedited command, and the process could register for it. ThreadSanitizer does not model it, so
/// there the answer is no. Then both sides use a full fence (`light_fence(false)`).
/// Cost: a system call at the first call in a process.
[[nodiscard]] bool has_asymmetric_fence() noexcept;

/// The frequent side's fence. `asymmetric`: has_asymmetric_fence(), kept by the caller.
inline void light_fence(bool asymmetric) noexcept {
  if (asymmetric) [[likely]] {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    full_fence();
  }
}

/// The rare side's fence. Cost: about 1 us with membarrier (an interrupt for each core that runs a
/// thread of the process).
void heavy_fence(bool asymmetric) noexcept;

}  // namespace far::fabric
