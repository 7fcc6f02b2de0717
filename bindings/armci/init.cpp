// Starting and ending.

#include <cstdio>
#include <cstdlib>

#include "armci.h"
#include "armci/profiled.hpp"
#include "armci/runtime.hpp"
#include "far/base/error.hpp"

using namespace far::armci;

namespace {

/// If the interface has initialized MPI, the program may not end it.
void end_mpi() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended) MPI_Finalize();
}

void init_mpi(int* argc, char*** argv, int requested) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) return;
  int provided = 0;
  MPI_Init_thread(argc, argv, requested, &provided);
  std::atexit(end_mpi);
}

int init(const char* call, int* argc, char*** argv, int requested) {
  return guarded_0(call, [&] {
    init_mpi(argc, argv, requested);
    turn::ask_mpi();
    runtime::init();
  });
}

}  // namespace

extern "C" {

void armci_msg_init(int* argc, char*** argv) { init_mpi(argc, argv, MPI_THREAD_SINGLE); }
void armci_msg_finalize(void) { end_mpi(); }

int ARMCI_Init(void) { return init("ARMCI_Init", nullptr, nullptr, MPI_THREAD_SINGLE); }

int ARMCI_Init_args(int* argc, char*** argv) {
  return init("ARMCI_Init_args", argc, argv, MPI_THREAD_SINGLE);
}

int ARMCI_Init_thread(int requested) {
  return init("ARMCI_Init_thread", nullptr, nullptr, requested);
}

int ARMCI_Init_thread_comm(int requested, MPI_Comm comm) {
  constexpr const char* call = "ARMCI_Init_thread_comm";
  return guarded_0(call, [&] {
    init_mpi(nullptr, nullptr, requested);
    turn::ask_mpi();
    int relation = MPI_UNEQUAL;
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    if (relation != MPI_IDENT && relation != MPI_CONGRUENT) {
      throw far::bad_argument(
          "the communicator must have all ranks of MPI_COMM_WORLD in their order");
    }
    runtime::init();
  });
}

int ARMCI_Initialized(void) { return runtime::is_initialized() ? 1 : 0; }

int ARMCI_Finalize(void) {
  return guarded_0("ARMCI_Finalize", [] { runtime::finalize(); });
}

void ARMCI_Cleanup(void) {}

void ARMCI_Error(const char* message, int code) {
  int rank = -1;
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fflush(stdout);
  std::fprintf(stderr, "ARMCI_Error: rank %d: %s (%d)\n", rank, message == nullptr ? "" : message,
               code);
  std::fflush(stderr);
  const int status = code == 0 ? 1 : code;
  if (initialized) MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

}  // extern "C"

FAR_ARMCI_PROFILED(ARMCI_Init);
FAR_ARMCI_PROFILED(ARMCI_Init_args);
FAR_ARMCI_PROFILED(ARMCI_Init_thread);
FAR_ARMCI_PROFILED(ARMCI_Init_thread_comm);
FAR_ARMCI_PROFILED(ARMCI_Initialized);
FAR_ARMCI_PROFILED(ARMCI_Finalize);
