// ARMCI-MPI's additions to ARMCI: groups by color, and sets of mutexes.

#include <memory>

#include "armci/groups.hpp"
#include "armci/mutexes.hpp"
#include "armci/runtime.hpp"
#include "armcix.h"
#include "far/base/error.hpp"
#include "far/fabric/context.hpp"

using namespace far::armci;

struct armcix_mutex_hdl_s {
  armcix_mutex_hdl_s(MPI_Comm members, int count)
      : comm(members), set(runtime::get().world(), members, count) {}

  MPI_Comm comm;
  mutexes set;
};

namespace {

armcix_mutex_hdl_s& made(armcix_mutex_hdl_t hdl) {
  if (hdl == nullptr) throw far::bad_argument("the handle is null");
  return *hdl;
}

}  // namespace

extern "C" {

int ARMCIX_Group_split(ARMCI_Group* parent, int color, int key, ARMCI_Group* new_group) {
  return guarded_0("ARMCIX_Group_split", [&] {
    const MPI_Comm of = comm_of(parent);
    MPI_Comm comm = MPI_COMM_NULL;
    const out_of_turn meanwhile;
    MPI_Comm_split(of, color, key, &comm);
    *new_group = group_of(comm);
  });
}

int ARMCIX_Group_dup(ARMCI_Group* parent, ARMCI_Group* new_group) {
  return guarded_0("ARMCIX_Group_dup", [&] {
    const MPI_Comm of = comm_of(parent);
    MPI_Comm comm = MPI_COMM_NULL;
    const out_of_turn meanwhile;
    MPI_Comm_dup(of, &comm);
    *new_group = group_of(comm);
  });
}

armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group* group) {
  return guarded("ARMCIX_Create_mutexes_hdl", [&] {
    return std::make_unique<armcix_mutex_hdl_s>(comm_of(group), count).release();
  });
}

int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t hdl) {
  return guarded_0("ARMCIX_Destroy_mutexes_hdl", [&] {
    runtime::get().barrier(made(hdl).comm);
    delete hdl;
  });
}

void ARMCIX_Lock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  guarded("ARMCIX_Lock_hdl", [&] {
    armcix_mutex_hdl_s& of = made(hdl);
    of.set.lock(mutex, rank_in(of.comm, proc));
  });
}

int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  return guarded("ARMCIX_Trylock_hdl", [&] {
    armcix_mutex_hdl_s& of = made(hdl);
    return of.set.try_lock(mutex, rank_in(of.comm, proc)) ? 0 : 1;
  });
}

void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  guarded("ARMCIX_Unlock_hdl", [&] {
    armcix_mutex_hdl_s& of = made(hdl);
    runtime::get().fence_all();
    of.set.unlock(mutex, rank_in(of.comm, proc));
  });
}

void ARMCIX_Progress(void) {
  guarded("ARMCIX_Progress", [] { (void)runtime::get().world().context().progress(); });
}

}  // extern "C"
