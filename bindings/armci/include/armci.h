/* ARMCI's interface over libfar, binary compatible with Debian's libarmci-mpi-dev, for which
 * Debian's Global Arrays are compiled. docs/armci.md says how to link and what differs.
 *
 * Calls return 0. A call that fails prints one line that names the call, the rank and the reason,
 * and ends the job; only those that allocate memory return something else.
 *
 * Addresses: a remote address is a pointer of the owner's process, as ARMCI_Malloc returns it for
 * each rank; arithmetic on it is allowed. Local memory may be any memory of the process. Where proc
 * is the calling rank, so may be the remote side.
 *
 * Threads: calls of several threads take turns, if MPI is initialized with MPI_THREAD_MULTIPLE;
 * otherwise they must not overlap. Collective calls are for one thread of each rank.
 */
#ifndef FAR_ARMCI_H
#define FAR_ARMCI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- starting and ending -------------------------------------------------------------------- */

/* Collective. Initializes MPI unless it is, and joins the job of libfar. Counted: only the first
 * call does something, and only the last ARMCI_Finalize leaves. What is left when MPI ends,
 * MPI_Finalize leaves. */
int ARMCI_Init(void);
int ARMCI_Init_args(int* argc, char*** argv);
/* `requested`: a level of MPI's, with which MPI is initialized unless it is. */
int ARMCI_Init_thread(int requested);
/* `comm`: all ranks of MPI_COMM_WORLD in their order. */
int ARMCI_Init_thread_comm(int requested, MPI_Comm comm);
int ARMCI_Initialized(void);
/* Collective. Memory and mutexes that are left are freed. */
int ARMCI_Finalize(void);
/* To call before the process ends in an error: completes nothing, waits for nobody. */
void ARMCI_Cleanup(void);
/* Prints the message, and ends the job with `code`, or with 1 if it is 0. */
void ARMCI_Error(const char* message, int code);

/* ---- groups --------------------------------------------------------------------------------- */

typedef struct {
  MPI_Comm comm; /* MPI_COMM_NULL where the calling rank is no member */
  MPI_Comm noncoll_pgroup_comm;
  int* grp_to_abs;
  int* abs_to_grp;
  int rank; /* -1 where the calling rank is no member */
  int size;
} ARMCI_Group;

/* Collective over the members; other ranks may call it too. `pid_list`: ranks of the parent group,
 * which is the default group unless it is given. */
void ARMCI_Group_create(int grp_size, int* pid_list, ARMCI_Group* group_out);
void ARMCI_Group_create_child(int grp_size, int* pid_list, ARMCI_Group* group_out,
                              ARMCI_Group* group_parent);
void ARMCI_Group_free(ARMCI_Group* group);
int ARMCI_Group_rank(ARMCI_Group* group, int* rank);
void ARMCI_Group_size(ARMCI_Group* group, int* size);
void ARMCI_Group_set_default(ARMCI_Group* group);
void ARMCI_Group_get_default(ARMCI_Group* group_out);
void ARMCI_Group_get_world(ARMCI_Group* group_out);
/* The rank in the world, or -1. */
int ARMCI_Absolute_id(ARMCI_Group* group, int group_rank);

/* ---- memory --------------------------------------------------------------------------------- */

typedef long armci_size_t;
#define ARMCII_MPI_SIZE_T MPI_LONG

/* Collective. Allocates `size` bytes, which may differ between ranks, and stores each rank's
 * address in base_ptrs; null for a rank that asked for 0 bytes. The memory comes from libfar's
 * local heap (FAR_LOCAL_HEAP). If a rank has not enough memory, all ranks return 1. */
int ARMCI_Malloc(void** base_ptrs, armci_size_t size);
/* Collective: waits until all ranks have called it. Ranks that got no memory pass NULL. */
int ARMCI_Free(void* ptr);
int ARMCI_Malloc_group(void** base_ptrs, armci_size_t size, ARMCI_Group* group);
int ARMCI_Free_group(void* ptr, ARMCI_Group* group);
/* Not collective; null if there is not enough memory. Others may reach it too. */
void* ARMCI_Malloc_local(armci_size_t size);
int ARMCI_Free_local(void* ptr);
/* The same memory, whatever the device is. */
int ARMCI_Malloc_memdev(void** base_ptrs, armci_size_t size, const char* device);
int ARMCI_Malloc_group_memdev(void** base_ptrs, armci_size_t size, ARMCI_Group* group,
                              const char* device);
int ARMCI_Free_memdev(void* ptr);

/* Around direct access to own memory; nothing has to be done there. */
void ARMCI_Access_begin(void* ptr);
void ARMCI_Access_end(void* ptr);
void ARMCI_Copy(void* src, void* dst, int size);

/* ---- transfers ------------------------------------------------------------------------------ */

/* Blocking calls return when they are complete at the target, so a fence has nothing left to do for
 * them. Those of one rank take effect in its order. */

enum ARMCI_Acc_e {
  ARMCI_ACC_INT,
  ARMCI_ACC_LNG,
  ARMCI_ACC_FLT,
  ARMCI_ACC_DBL,
  ARMCI_ACC_CPL, /* two floats */
  ARMCI_ACC_DCP  /* two doubles */
};

int ARMCI_Put(void* src, void* dst, int bytes, int proc);
int ARMCI_Get(void* src, void* dst, int bytes, int proc);
/* dst += scale * src; each element is updated at once with respect to other accumulates. */
int ARMCI_Acc(int datatype, void* scale, void* src, void* dst, int bytes, int proc);

/* Strided: count[0] bytes are adjacent, and level k >= 1 repeats what is inside it count[k] times,
 * stride_ar[k - 1] bytes apart. Strides are not negative; at most 7 levels. */
int ARMCI_PutS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
               int stride_levels, int proc);
int ARMCI_GetS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
               int stride_levels, int proc);
int ARMCI_AccS(int datatype, void* scale, void* src, int src_stride_ar[], void* dst,
               int dst_stride_ar[], int count[], int stride_levels, int proc);

/* After the put, stores `value` in `flag` at the target. */
int ARMCI_Put_flag(void* src, void* dst, int bytes, int* flag, int value, int proc);
int ARMCI_PutS_flag(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
                    int stride_levels, int* flag, int value, int proc);

/* Local memory to and from a dense buffer. */
void armci_write_strided(void* ptr, int stride_levels, int stride_ar[], int count[], char* buf);
void armci_read_strided(void* ptr, int stride_levels, int stride_ar[], int count[], char* buf);

/* Vectors: segments of `bytes` bytes. Those of a call must not overlap at the side that is written,
 * except that an accumulate may name an element repeatedly. */
typedef struct {
  void** src_ptr_array;
  void** dst_ptr_array;
  int bytes;
  int ptr_array_len;
} armci_giov_t;

int ARMCI_PutV(armci_giov_t* iov, int iov_len, int proc);
int ARMCI_GetV(armci_giov_t* iov, int iov_len, int proc);
int ARMCI_AccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc);

int ARMCI_PutValueInt(int src, void* dst, int proc);
int ARMCI_PutValueLong(long src, void* dst, int proc);
int ARMCI_PutValueFloat(float src, void* dst, int proc);
int ARMCI_PutValueDouble(double src, void* dst, int proc);
int ARMCI_GetValueInt(void* src, int proc);
long ARMCI_GetValueLong(void* src, int proc);
float ARMCI_GetValueFloat(void* src, int proc);
double ARMCI_GetValueDouble(void* src, int proc);

/* ---- non-blocking transfers ----------------------------------------------------------------- */

/* A handle stands for all operations that were started with it and not yet waited for. */
typedef struct armci_hdl_s {
  int target;
  int aggregate;
} armci_hdl_t;

void ARMCI_INIT_HANDLE(armci_hdl_t* hdl);
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* hdl);
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* hdl);

/* `hdl` may be null: the operation is one for which only the last three of these and fences wait.
 */
int ARMCI_Wait(armci_hdl_t* hdl);
int ARMCI_Test(armci_hdl_t* hdl); /* 0: complete */
int ARMCI_WaitProc(int proc);
int ARMCI_WaitAll(void);

int ARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int ARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int ARMCI_NbAcc(int datatype, void* scale, void* src, void* dst, int bytes, int proc,
                armci_hdl_t* hdl);
int ARMCI_NbPutS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
                 int stride_levels, int proc, armci_hdl_t* hdl);
int ARMCI_NbGetS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
                 int stride_levels, int proc, armci_hdl_t* hdl);
int ARMCI_NbAccS(int datatype, void* scale, void* src, int src_stride_ar[], void* dst,
                 int dst_stride_ar[], int count[], int stride_levels, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* hdl);
int ARMCI_NbGetV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* hdl);
int ARMCI_NbAccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc,
                 armci_hdl_t* hdl);
int ARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t* hdl);

/* ---- synchronization ------------------------------------------------------------------------ */

void ARMCI_Fence(int proc); /* completes this rank's operations at `proc` */
void ARMCI_AllFence(void);
void ARMCI_Barrier(void); /* collective: a fence, then a barrier */

/* Collective; a rank keeps `count` mutexes, which may differ between ranks. One set at a time. */
int ARMCI_Create_mutexes(int count);
int ARMCI_Destroy_mutexes(void);
/* Mutex `mutex` of rank `proc`. First come, first served; a rank that waits sleeps. */
void ARMCI_Lock(int mutex, int proc);
void ARMCI_Unlock(int mutex, int proc);

enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };

/* Stores the old value of `prem`, an int or a long, in `ploc`. FETCH_AND_ADD adds `value` to it;
 * SWAP replaces it by the value of `ploc`. */
int ARMCI_Rmw(int op, void* ploc, void* prem, int value, int proc);

/* ---- messages: message.h -------------------------------------------------------------------- */

#ifdef __cplusplus
}
#endif
#include "message.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- topology ------------------------------------------------------------------------------- */

/* Each rank is a domain, and a node, of its own: Global Arrays would use plain pointers into the
 * memory of other ranks of a domain, and remote addresses are pointers of their owners. */
enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

int armci_domain_nprocs(armci_domain_t domain, int id);
int armci_domain_id(armci_domain_t domain, int glob_proc_id);
int armci_domain_glob_proc_id(armci_domain_t domain, int id, int loc_proc_id);
int armci_domain_my_id(armci_domain_t domain);
int armci_domain_count(armci_domain_t domain);
int armci_domain_same_id(armci_domain_t domain, int proc);
int ARMCI_Same_node(int proc);

int ARMCI_Uses_shm(void);
int ARMCI_Uses_shm_grp(ARMCI_Group* group);
void ARMCI_Set_shm_limit(unsigned long shmemlimit);

#ifdef __cplusplus
}
#endif
#include "parmci.h"

#endif
