#include "armci/turn.hpp"

#include <mpi.h>

#include <atomic>

namespace far::armci {
namespace {

std::atomic<bool> needed{false};
std::recursive_mutex door;  // recursive: the last ARMCI_Finalize calls what MPI_Finalize would

}  // namespace

turn::turn() : held_(door, std::defer_lock) {
  if (is_needed()) held_.lock();
}

void turn::ask_mpi() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  needed = level == MPI_THREAD_MULTIPLE;
}

bool turn::is_needed() noexcept { return needed.load(std::memory_order_relaxed); }

out_of_turn::out_of_turn() {
  if (turn::is_needed()) door.unlock();
}

out_of_turn::~out_of_turn() {
  if (turn::is_needed()) door.lock();
}

}  // namespace far::armci
