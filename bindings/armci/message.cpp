// Messages, broadcasts and barriers, by MPI.

#include <fmt/format.h>

#include "armci.h"
#include "armci/groups.hpp"
#include "armci/mpi_ranks.hpp"
#include "armci/runtime.hpp"
#include "far/base/error.hpp"

using namespace far::armci;

namespace {

/// Receives, and returns the sender.
int receive(int tag, void* buffer, int capacity, int* bytes, int from) {
  MPI_Status status;
  const MPI_Comm comm = mpi_ranks::now().comm;
  const out_of_turn meanwhile;
  MPI_Recv(buffer, capacity, MPI_BYTE, from, tag, comm, &status);
  if (bytes != nullptr) MPI_Get_count(&status, MPI_BYTE, bytes);
  return status.MPI_SOURCE;
}

void broadcast(int scope, void* buffer, int bytes, int root, MPI_Comm comm) {
  const mpi_ranks all = mpi_ranks::now();
  all.check(root);
  if (scope == SCOPE_NODE) return;  // to itself
  const int from = comm == all.comm ? root : rank_in(comm, root);
  const out_of_turn meanwhile;
  MPI_Bcast(buffer, bytes, MPI_BYTE, from, comm);
}

}  // namespace

extern "C" {

int armci_msg_me(void) {
  return guarded("armci_msg_me", [] { return mpi_ranks::now().own; });
}

int armci_msg_nproc(void) {
  return guarded("armci_msg_nproc", [] { return mpi_ranks::now().count; });
}

void armci_msg_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

double armci_timer(void) { return MPI_Wtime(); }

void armci_msg_snd(int tag, void* buffer, int len, int to) {
  guarded("armci_msg_snd", [&] {
    const mpi_ranks all = mpi_ranks::now();
    all.check(to);
    const out_of_turn meanwhile;
    MPI_Send(buffer, len, MPI_BYTE, to, tag, all.comm);
  });
}

void armci_msg_rcv(int tag, void* buffer, int buflen, int* msglen, int from) {
  guarded("armci_msg_rcv", [&] {
    mpi_ranks::now().check(from);
    (void)receive(tag, buffer, buflen, msglen, from);
  });
}

int armci_msg_rcvany(int tag, void* buffer, int buflen, int* msglen) {
  return guarded("armci_msg_rcvany",
                 [&] { return receive(tag, buffer, buflen, msglen, MPI_ANY_SOURCE); });
}

void armci_msg_barrier(void) {
  guarded("armci_msg_barrier", [] {
    if (runtime::is_initialized()) return runtime::get().barrier();
    MPI_Barrier(mpi_ranks::now().comm);
  });
}

void armci_msg_group_barrier(ARMCI_Group* group) {
  guarded("armci_msg_group_barrier", [&] { runtime::get().barrier(comm_of(group)); });
}

void armci_msg_bintree(int scope, int* root, int* up, int* left, int* right) {
  guarded("armci_msg_bintree", [&] {
    const mpi_ranks all = mpi_ranks::now();
    const bool is_alone = scope == SCOPE_NODE;
    const int rank = is_alone ? 0 : all.own;
    const auto child = [&](int which) {
      const int place = 2 * rank + which;
      return is_alone || place >= all.count ? -1 : place;
    };
    *root = is_alone ? all.own : 0;
    *up = rank == 0 ? -1 : (rank - 1) / 2;
    *left = child(1);
    *right = child(2);
  });
}

void armci_msg_bcast(void* buffer, int len, int root) {
  guarded("armci_msg_bcast",
          [&] { broadcast(SCOPE_ALL, buffer, len, root, mpi_ranks::now().comm); });
}

void armci_msg_brdcst(void* buffer, int len, int root) { armci_msg_bcast(buffer, len, root); }

void armci_msg_bcast_scope(int scope, void* buffer, int len, int root) {
  guarded("armci_msg_bcast_scope",
          [&] { broadcast(scope, buffer, len, root, mpi_ranks::now().comm); });
}

void armci_msg_group_bcast_scope(int scope, void* buffer, int len, int root, ARMCI_Group* group) {
  guarded("armci_msg_group_bcast_scope",
          [&] { broadcast(scope, buffer, len, root, comm_of(group)); });
}

}  // extern "C"

extern "C" decltype(armci_msg_barrier) parmci_msg_barrier
    __attribute__((alias("armci_msg_barrier")));
extern "C" decltype(armci_msg_group_barrier) parmci_msg_group_barrier
    __attribute__((alias("armci_msg_group_barrier")));
