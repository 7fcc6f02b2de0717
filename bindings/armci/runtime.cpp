#include "armci/runtime.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "armci/mpi_ranks.hpp"
#include "far/base/error.hpp"
#include "far/fabric/fabric.hpp"
#include "far/rma/flush.hpp"
#include "far/team/barrier.hpp"

namespace far::armci {
namespace {

/// The process's only runtime, and how often it was initialized.
struct process {
  std::unique_ptr<runtime> only;
  int inits = 0;
};

process& own() noexcept {
  static process the;
  return the;
}

/// Leaves the job when MPI ends: MPI deletes the attributes of MPI_COMM_SELF first.
int leave_with_mpi(MPI_Comm, int, void*, void*) {
  guarded("MPI_Finalize", [] { runtime::finalize_all(); });
  return MPI_SUCCESS;
}

void watch_end_of_mpi() {
  static bool watched = false;
  if (std::exchange(watched, true)) return;
  int key = 0;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, leave_with_mpi, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_free_keyval(&key);
}

std::byte* local_window(fabric::fabric& fabric) noexcept {
  return fabric.local(fabric::address(fabric.rank(), fabric::local_segment, 0));
}

}  // namespace

runtime::runtime() : rank_(job_.world().rank()) {
  int mpi_rank = 0;
  int mpi_size = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  MPI_Comm_rank(comm_, &mpi_rank);
  MPI_Comm_size(comm_, &mpi_size);
  fabric::fabric& fabric = world().fabric();
  if (mpi_rank != rank_ || mpi_size != fabric.size()) {
    throw bad_argument(fmt::format(
        "MPI says that this is rank {} of {}, libfar has joined a job as rank {} of {}: "
        "start the program by Open MPI's mpirun, or by srun --mpi=pmix",
        mpi_rank, mpi_size, rank_, fabric.size()));
  }
  windows_.resize(static_cast<std::size_t>(mpi_size));
  const auto window = reinterpret_cast<std::uintptr_t>(local_window(fabric));
  MPI_Allgather(&window, sizeof window, MPI_BYTE, windows_.data(), sizeof window, MPI_BYTE, comm_);
  capacity_ = fabric.layout().bytes[fabric::local_segment];
  // Where instructions reach all memory, no operation needs its target.
  serves_ = !fabric.coherent();
  if (serves_) fabric.start_service();
  watch_end_of_mpi();
}

runtime::~runtime() {
  if (!watch_.is_unwinding()) guarded("ARMCI_Finalize", [this] { leave(); });
}

void runtime::leave() {
  fence_all();
  barrier();
  mutexes_.reset();
  if (std::exchange(serves_, false)) world().fabric().stop_service();
  job_.leave();
  MPI_Comm_free(&comm_);
}

runtime& runtime::get() {
  if (own().only == nullptr) throw bad_argument("ARMCI is not initialized: call ARMCI_Init first");
  return *own().only;
}

bool runtime::is_initialized() noexcept { return own().only != nullptr; }

void runtime::init() {
  if (own().only == nullptr) own().only = std::make_unique<runtime>();
  ++own().inits;
}

void runtime::finalize() {
  if (own().inits == 0) throw bad_argument("ARMCI is not initialized, or was finalized more often");
  if (--own().inits == 0) own().only.reset();
}

void runtime::finalize_all() {
  own().inits = 0;
  own().only.reset();
}

bool runtime::is_shared(const void* place) const noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  return at - windows_[static_cast<std::size_t>(rank_)] < capacity_;
}

void runtime::check_rank(int proc) const { mpi_ranks{comm_, rank_, size()}.check(proc); }

fabric::address runtime::address_of(const void* place, int proc, std::uint64_t bytes) {
  check_rank(proc);
  const std::uint64_t offset =
      reinterpret_cast<std::uintptr_t>(place) - windows_[static_cast<std::size_t>(proc)];
  const std::uint64_t extent = world().fabric().extent(proc, fabric::local_segment);
  if (offset == 0 || offset > extent || bytes > extent - offset) {
    throw bad_argument(
        fmt::format("rank {} has not allocated the {} bytes at its address {}: pass a pointer that "
                    "ARMCI_Malloc has returned for rank {}, or one inside that memory",
                    proc, bytes, place, proc));
  }
  return {proc, fabric::local_segment, offset};
}

void runtime::fence(int proc) {
  check_rank(proc);
  operations_.wait_proc(proc);
  flush(world(), proc);
}

void runtime::fence_all() {
  operations_.wait_all();
  flush(world());
}

void runtime::barrier(MPI_Comm comm) {
  if (comm == comm_ && !turn::is_needed()) return far::barrier(world());
  const out_of_turn meanwhile;
  MPI_Barrier(comm);
}

mutexes& runtime::made_mutexes() {
  if (mutexes_ == nullptr) {
    throw bad_argument("there are no mutexes: all ranks must call ARMCI_Create_mutexes first");
  }
  return *mutexes_;
}

void* runtime::pointer_to(fabric::address own) noexcept { return world().fabric().local(own); }

void end_job(const char* call, const std::exception& why) noexcept {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  const bool has_mpi = initialized != 0 && finalized == 0;
  std::fflush(stdout);
  if (has_mpi) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "%s: rank %d: %s\n", call, rank, why.what());
  } else {
    std::fprintf(stderr, "%s: %s\n", call, why.what());
  }
  std::fflush(stderr);
  if (has_mpi) MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

}  // namespace far::armci
