#include "far/fabric/interrupt.hpp"

#include "far/base/error.hpp"

namespace far::fabric {

void interrupt() noexcept {
  // Sequentially consistent, for the sleepers' last check (shm/doorbell.hpp).
  the_interruption.requested.store(true, std::memory_order_seq_cst);
  if (const waker wake = the_interruption.wake.load(std::memory_order_acquire)) wake();
}

void throw_interrupted(int rank) {
  throw interrupted(rank, "the waits of this process have been interrupted (far::interrupt)");
}

}  // namespace far::fabric
