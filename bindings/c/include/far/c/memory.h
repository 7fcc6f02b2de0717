/// Memory that all ranks reach, transfers, and atomic words.
#ifndef FAR_C_MEMORY_H
#define FAR_C_MEMORY_H

#include "far/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A global pointer: one word that means the same on every rank. 0 is null.
typedef uint64_t far_ptr;

/// Collective: allocates `bytes` bytes on every rank, zeroed and aligned to 64, and returns a
/// pointer to this rank's part; far_ptr_on gives those of others.
/// Errors: FAR_OUT_OF_MEMORY, on every rank alike.
far_status far_allocate(uint64_t bytes, far_ptr* memory);
/// This rank does not use it any more, neither its own part, `memory`, nor others'. It is freed when
/// all ranks have said so, and make the next thing together. Never waits. Null: no-op.
/// Errors: FAR_BAD_ARGUMENT if nothing was allocated there.
far_status far_free(far_ptr memory);
/// Allocates `bytes` bytes on this rank alone, zeroed and aligned to 16.
far_status far_allocate_here(uint64_t bytes, far_ptr* memory);
far_status far_free_here(far_ptr memory);

/// The same place in the part of another rank, of memory of far_allocate.
far_ptr far_ptr_on(far_ptr memory, int rank);
int far_ptr_rank(far_ptr memory);
/// `bytes` further on; may be negative. Not checked; accesses are.
far_ptr far_ptr_plus(far_ptr memory, int64_t bytes);

/// A plain pointer to `bytes` bytes of this rank's own, for loads and stores while no other rank
/// accesses them.
/// Errors: FAR_BAD_ARGUMENT for another rank's memory; FAR_OUT_OF_BOUNDS.
far_status far_local(far_ptr memory, uint64_t bytes, void** place);

/// Writes `bytes` bytes, from any memory of the process, to any rank. Returns when they are visible
/// there. Words of 1, 2, 4 and 8 bytes, aligned at both ends, move whole.
/// Cost: memcpy on one machine; else a message each way. Errors: FAR_OUT_OF_BOUNDS before anything
/// moves; FAR_RANK_FAILED.
far_status far_put(far_ptr to, const void* from, size_t bytes);
/// The reverse.
far_status far_get(void* to, far_ptr from, size_t bytes);

/// A part of a list of transfers: `bytes` bytes at `remote`, from or to `local`.
typedef struct far_part {
  far_ptr remote;
  void* local;
  size_t bytes;
} far_part;

/// Operations of the calling thread that are under way.
typedef struct far_operation far_operation;

/// Start a list of transfers, to or from any ranks. Until far_wait the local memory belongs to them.
/// Errors: FAR_OUT_OF_BOUNDS, before anything starts.
far_status far_start_put(const far_part* parts, size_t count, far_operation** started);
far_status far_start_get(const far_part* parts, size_t count, far_operation** started);
/// Waits for the end of an operation that this thread has started, and frees it. Null: no-op.
far_status far_wait(far_operation* operation);
/// Sets `done` to 1 if far_wait would not wait, else to 0. Makes progress.
far_status far_test(const far_operation* operation, int* done);
/// This thread's earlier operations are visible at a rank, or for -1 at all. far_put needs none.
far_status far_flush(int rank);

typedef enum far_atomic_op {
  FAR_LOAD = 0,              ///< operand, compare: unused
  FAR_STORE = 1,             ///< `old` stays as it is
  FAR_EXCHANGE = 2,
  FAR_COMPARE_EXCHANGE = 3,  ///< to operand if it equals compare
  FAR_ADD = 4,               ///< wraps around
  FAR_AND = 5,
  FAR_OR = 6,
  FAR_XOR = 7
} far_atomic_op;

/// An atomic operation, a far_atomic_op, on an aligned word of `width` bytes, 4 or 8, at any rank.
/// `old` becomes what the word was before; may be null. Operands of 4-byte words are the low halves.
/// Ordering: acquires and releases, but a load only acquires, a store only releases.
/// Cost: an instruction on one machine; else a message each way, or the network interface's atomic.
/// Errors: FAR_BAD_ARGUMENT for any other width, or an unaligned word; FAR_OUT_OF_BOUNDS.
far_status far_atomic(far_ptr word, int width, int op, uint64_t operand,
                      uint64_t compare, uint64_t* old);

#ifdef __cplusplus
}
#endif

#endif
