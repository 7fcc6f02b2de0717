/* ARMCI-MPI's additions to ARMCI, binary compatible with those of Debian's libarmci-mpi-dev. */
#ifndef FAR_ARMCI_ARMCIX_H
#define FAR_ARMCI_ARMCIX_H

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collective over the parent: a group of the ranks that give the same color, ordered by their keys.
 * Where the color is MPI_UNDEFINED, the calling rank is in none. */
int ARMCIX_Group_split(ARMCI_Group* parent, int color, int key, ARMCI_Group* new_group);
/* Collective: a group of the same ranks. */
int ARMCIX_Group_dup(ARMCI_Group* parent, ARMCI_Group* new_group);

/* Any number of sets of mutexes, each of a group. */
typedef struct armcix_mutex_hdl_s* armcix_mutex_hdl_t;

/* Collective over the group; a rank keeps `count` mutexes, which may differ between ranks. */
armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group* group);
/* Collective over the group. */
int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t hdl);
/* Mutex `mutex` that rank `proc` of the world keeps. */
void ARMCIX_Lock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);
/* Returns 0 if the calling rank has got it, and 1 if another one holds it. */
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);
void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);

/* Answers what others have asked. Waiting calls do so anyhow. */
void ARMCIX_Progress(void);

#ifdef __cplusplus
}
#endif

#endif
