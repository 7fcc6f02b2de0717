/// A hash map from bytes to bytes over all ranks.
#ifndef FAR_C_MAP_H
#define FAR_C_MAP_H

#include "far/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_map far_map;

/// Collective: makes an empty map, which grows as needed. Each key is at the rank that its hash
/// says, which performs the operations on it.
/// Cost of operations: a lock and a search for keys of this rank, a message each way for others.
far_status far_map_create(far_map** map);
/// This rank does not use it any more. It is destroyed when all ranks have said so, and make the next
/// thing together. Never waits. Null: no-op.
far_status far_map_destroy(far_map* map);

/// Sets a key's value. `added` becomes 1 if the key is new, else 0; may be null.
far_status far_map_put(far_map* map, const void* key, size_t key_bytes, const void* value,
                       size_t value_bytes, int* added);
/// The same, only if the key is new.
far_status far_map_put_new(far_map* map, const void* key, size_t key_bytes, const void* value,
                           size_t value_bytes, int* added);
/// A key's value; `value` becomes null if there is none, and is not null for an empty one. It is
/// valid until the thread's next call.
far_status far_map_get(far_map* map, const void* key, size_t key_bytes, const void** value,
                       size_t* value_bytes);
/// Removes a key. `removed` becomes 1 if it was there, else 0; may be null.
far_status far_map_remove(far_map* map, const void* key, size_t key_bytes, int* removed);
/// Collective: the number of keys of all ranks.
far_status far_map_size(far_map* map, uint64_t* keys);
/// Collective: removes all keys.
far_status far_map_clear(far_map* map);

/// Called with a key and its value; what it returns other than 0 ends the visit.
typedef int far_map_visitor(void* context, const void* key, size_t key_bytes, const void* value,
                            size_t value_bytes);
/// Calls the visitor for each key of this rank, which it copies first: other ranks may go on.
far_status far_map_visit_local(far_map* map, far_map_visitor* visitor, void* context);

#ifdef __cplusplus
}
#endif

#endif
