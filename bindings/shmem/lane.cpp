#include "shmem/lane.hpp"

#include <far/rma/flush.hpp>

namespace far::shmem {

void lane::complete() { complete(fabric::all_ranks); }

void lane::complete(int pe) {
  context().wait(fetches, {"quiet", pe, {}});
  flush(world_, pe);
}

}  // namespace far::shmem
