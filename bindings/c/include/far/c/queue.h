/// A first-in first-out queue of pieces of bytes, at one rank, that all ranks use.
#ifndef FAR_C_QUEUE_H
#define FAR_C_QUEUE_H

#include "far/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_queue far_queue;

/// Collective: makes a queue of at most `capacity` elements of up to `max_bytes` bytes (8188), in
/// the memory of one rank, its host. Each takes 32, 128, 512, 2048 or 8192 bytes.
/// Errors: FAR_BAD_ARGUMENT for an invalid host, size or capacity; FAR_OUT_OF_MEMORY.
far_status far_queue_create(int host, uint64_t capacity, size_t max_bytes, far_queue** queue);
/// This rank does not use it any more. It is destroyed when all ranks have said so, and make the next
/// thing together. Never waits. Null: no-op.
far_status far_queue_destroy(far_queue* queue);

/// Appends an element; waits while the queue is full.
/// Cost: an atomic operation at the host, the transfer, and another one.
/// Errors: FAR_BAD_ARGUMENT for more than max_bytes; FAR_RANK_FAILED.
far_status far_queue_push(far_queue* queue, const void* bytes, size_t count);
/// The same without waiting; `pushed` becomes 1, or 0 if the queue was full.
far_status far_queue_try_push(far_queue* queue, const void* bytes, size_t count, int* pushed);
/// Takes the oldest element; waits while the queue is empty. `bytes` is valid until the thread's
/// next call.
far_status far_queue_pop(far_queue* queue, const void** bytes, size_t* count);
/// The same without waiting; `bytes` becomes null if the queue was empty.
far_status far_queue_try_pop(far_queue* queue, const void** bytes, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
