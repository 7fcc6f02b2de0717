/* ARMCI's messages and collectives, performed by MPI; the barrier of all ranks by libfar. They work
 * as soon as MPI is initialized, by armci_msg_init for example: before ARMCI_Init too. armci.h
 * includes this file. */
#ifndef FAR_ARMCI_MESSAGE_H
#define FAR_ARMCI_MESSAGE_H

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A node is one rank (see armci.h), so SCOPE_NODE is the calling rank alone, and SCOPE_MASTERS all.
 */
enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };
enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };

/* As MPI_Init, unless MPI is initialized, and MPI_Finalize. */
void armci_msg_init(int* argc, char*** argv);
void armci_msg_finalize(void);
int armci_msg_me(void);
int armci_msg_nproc(void);
void armci_msg_abort(int code);
double armci_timer(void); /* seconds */

/* `msglen` may be null. */
void armci_msg_snd(int tag, void* buffer, int len, int to);
void armci_msg_rcv(int tag, void* buffer, int buflen, int* msglen, int from);
int armci_msg_rcvany(int tag, void* buffer, int buflen, int* msglen); /* returns the sender */

void armci_msg_barrier(void);
void armci_msg_group_barrier(ARMCI_Group* group);
/* The calling rank's place in a binary tree of all ranks; -1 where there is no rank. */
void armci_msg_bintree(int scope, int* root, int* up, int* left, int* right);

void armci_msg_bcast(void* buffer, int len, int root);
void armci_msg_bcast_scope(int scope, void* buffer, int len, int root);
void armci_msg_brdcst(void* buffer, int len, int root);
/* `root`: a rank of the world. */
void armci_msg_group_bcast_scope(int scope, void* buffer, int len, int root, ARMCI_Group* group);

/* x becomes the element-wise result over all ranks, on all ranks. `op`: "+", "*", "max", "min",
 * "absmax", "absmin", and for integers "&&", "||", "&", "|" or "or". */
void armci_msg_gop_scope(int scope, void* x, int n, char* op, int type);
void armci_msg_igop(int* x, int n, char* op);
void armci_msg_lgop(long* x, int n, char* op);
void armci_msg_llgop(long long* x, int n, char* op);
void armci_msg_fgop(float* x, int n, char* op);
void armci_msg_dgop(double* x, int n, char* op);
void armci_msg_group_gop_scope(int scope, void* x, int n, char* op, int type, ARMCI_Group* group);
void armci_msg_group_igop(int* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_lgop(long* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_llgop(long long* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_fgop(float* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_dgop(double* x, int n, char* op, ARMCI_Group* group);

/* The same with the result on rank 0 only; elsewhere x keeps its value. */
void armci_msg_reduce(void* x, int n, char* op, int type);
void armci_msg_reduce_scope(int scope, void* x, int n, char* op, int type);

/* x becomes the n bytes of the rank whose first element, of `type`, is the "min" or "max" of those
 * ranks that contribute; of equal ones, the lowest rank's. */
void armci_msg_sel(void* x, int n, char* op, int type, int contribute);
void armci_msg_sel_scope(int scope, void* x, int n, char* op, int type, int contribute);

#ifdef __cplusplus
}
#endif

#endif
