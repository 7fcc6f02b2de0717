// Each rank is a domain of its own (armci.h says why).

#include "armci.h"
#include "armci/mpi_ranks.hpp"
#include "armci/runtime.hpp"

using namespace far::armci;

extern "C" {

int armci_domain_nprocs(armci_domain_t, int) { return 1; }
int armci_domain_id(armci_domain_t, int glob_proc_id) { return glob_proc_id; }
int armci_domain_glob_proc_id(armci_domain_t, int id, int) { return id; }

int armci_domain_my_id(armci_domain_t) {
  return guarded("armci_domain_my_id", [] { return mpi_ranks::now().own; });
}

int armci_domain_count(armci_domain_t) {
  return guarded("armci_domain_count", [] { return mpi_ranks::now().count; });
}

int armci_domain_same_id(armci_domain_t, int proc) { return ARMCI_Same_node(proc); }

int ARMCI_Same_node(int proc) {
  return guarded("ARMCI_Same_node", [&] { return proc == mpi_ranks::now().own ? 1 : 0; });
}

// To Global Arrays, shared memory is what a process can load from by the pointers of ARMCI_Malloc.
int ARMCI_Uses_shm(void) { return 0; }
int ARMCI_Uses_shm_grp(ARMCI_Group*) { return 0; }
void ARMCI_Set_shm_limit(unsigned long) {}

}  // extern "C"
