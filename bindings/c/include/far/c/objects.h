/// Objects that refer to each other across ranks, with types that are described at run time:
///
///     const far_cell cells[] = {{0, 8, 0}, {8, 8, 1}};  // a number and a reference
///     far_type_create(space, "node", 16, cells, 2, &node);
///     far_object_make(space, node, &list);
///     far_object_write(space, list, node, &data);       // valid until the next safe point
///
/// Safe points are all calls of monitor.h and of this header that say so: there a collection may
/// take place, pointers to data end, and references that nothing keeps. A collection keeps what can
/// be reached from named roots, from objects that far_object_keep keeps, and from the objects whose
/// monitors threads hold or wait for. docs/objects.md says how it all works.
#ifndef FAR_C_OBJECTS_H
#define FAR_C_OBJECTS_H

#include "far/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_space far_space;
typedef struct far_type far_type;

/// Names an object or an array: one word that means the same on every rank. 0 is null.
typedef uint64_t far_ref;

/// A field, which is compared and copied as one word: at a multiple of its width, 1, 2, 4 or 8
/// bytes. References take 8. What no cell covers is not shared.
typedef struct far_cell {
  uint32_t offset;
  uint8_t width;
  uint8_t is_reference;
} far_cell;

/// The same on all ranks; zeros are the defaults.
typedef struct far_space_options {
  uint64_t heap_bytes;     ///< of a rank's own objects; 0: FAR_OBJECT_HEAP, or a heap that grows
  uint64_t cache_bytes;    ///< of a rank's copies; 0: FAR_OBJECT_CACHE, or 64 MB
  int force_protocol;      ///< 1: copies even where ranks share memory, for tests
  int collects_by_itself;  ///< 0 or 1: when a rank's memory is full; -1: never
  int protocol;            ///< 0 automatic, 1 invalidate, 2 update
  int migrate_after;       ///< changes by one rank after which a region migrates; 0: 3; -1: never
  int tracks_changes;      ///< 1: for far_space_take_changed
} far_space_options;

/// Collective, while no other thread of the rank makes calls. `options` may be null.
/// Errors: FAR_OUT_OF_MEMORY; FAR_BAD_ARGUMENT.
far_status far_space_create(const far_space_options* options, far_space** space);
/// This rank does not use it any more, nor its types and objects, as far_map_destroy. Null: no-op.
far_status far_space_destroy(far_space* space);

/// Describes a type to this rank; the same description again is the same type. Any rank may make
/// types at any time. They live as long as the space.
/// Errors: FAR_BAD_ARGUMENT for cells that overlap, are not aligned or lie outside of the `size`
///   bytes, and for more than 65,520 bytes.
far_status far_type_create(far_space* space, const char* name, size_t size, const far_cell* cells,
                           size_t count, const far_type** type);
const char* far_type_name(const far_type* type, size_t* length);  ///< not ended by 0
size_t far_type_size(const far_type* type);
/// Its cells, by offset.
const far_cell* far_type_cells(const far_type* type, size_t* count);

/// Makes an object of this rank, or an array of `count`, whose bytes are zero. A safe point.
/// Cost: no message; a collection if the memory is full. Errors: FAR_OUT_OF_MEMORY.
far_status far_object_make(far_space* space, const far_type* type, far_ref* made);
far_status far_array_make(far_space* space, const far_type* type, uint64_t count, far_ref* made);

/// The type of an object, or of an array's elements. If `guess`, which may be null, is right, the
/// call costs no more than reading the object; else a message to the home, and for a type that this
/// rank has never met another one.
/// Errors: FAR_BAD_ARGUMENT where there is no object.
far_status far_object_type(far_space* space, far_ref object, const far_type* guess,
                           const far_type** type);

/// An object's data, to be read, or to be read and written. Valid until the next safe point.
/// Cost: some instructions if the thread has had it since its last acquire, or the rank keeps a copy;
///   else a message each way. The first write after a release copies it.
/// Errors: FAR_BAD_ARGUMENT for null, other spaces' references and other types;
///   FAR_OUT_OF_MEMORY if all copies' memory is in use; FAR_RANK_FAILED.
far_status far_object_read(far_space* space, far_ref object, const far_type* type,
                           const void** data);
far_status far_object_write(far_space* space, far_ref object, const far_type* type, void** data);
/// The same, without an error and without a message: null where the slow path must be taken. Not
/// for arrays beyond their first 64 KB.
const void* far_object_try_read(far_space* space, far_ref object);
void* far_object_try_write(far_space* space, far_ref object);

/// Element `i` and those that follow it in memory: `count` of them, at least one.
/// Errors: as above; FAR_BAD_ARGUMENT for an index beyond the end.
far_status far_array_read(far_space* space, far_ref array, const far_type* type, uint64_t i,
                          const void** first, uint64_t* count);
far_status far_array_write(far_space* space, far_ref array, const far_type* type, uint64_t i,
                           void** first, uint64_t* count);
far_status far_array_length(far_space* space, far_ref array, const far_type* type,
                            uint64_t* length);
/// The rank that has made it.
int far_ref_rank(far_ref object);

/// Gives a reference, or null, a name that all ranks know. Publishes; a safe point.
far_status far_root_set(far_space* space, const char* name, far_ref object, const far_type* type);
/// The reference of that name, or null. An acquire and a safe point.
far_status far_root_get(far_space* space, const char* name, far_ref* object);

/// Keeps an object from collections until it has been released as often: for references in memory
/// that the space does not know. Between getting the reference and this call there is no safe point.
far_status far_object_keep(far_space* space, far_ref object);
/// A thread need not be attached to call it: a host language's collector may.
/// Errors: FAR_BAD_ARGUMENT if it is not kept.
far_status far_object_release(far_space* space, far_ref object);

/// Makes what this thread has changed visible to those who synchronize with it later.
far_status far_publish(far_space* space);
/// An acquire and a safe point: the thread sees what others had published before.
far_status far_refresh(far_space* space);
/// For languages whose objects are the working memory of shared ones: the objects, of this rank and
/// others, whose data may be other than when they were read last, since the call before. Called after
/// an acquire, it tells what to read again; the rest is as new. A large array is told by pieces: its
/// reference, and 65,536 more for each further piece. The rank reads objects by one attachment, which
/// its threads exchange. Empty where ranks share the objects' memory: then all may have changed.
/// `places` is valid until the thread's next call.
/// Errors: FAR_BAD_ARGUMENT without tracks_changes.
far_status far_space_take_changed(far_space* space, const far_ref** places, size_t* count);
/// 1 if ranks share the objects' memory, so that there are no copies; else 0.
int far_space_is_coherent(const far_space* space);
/// To be called now and then by a thread that computes for long.
far_status far_safe_point(far_space* space);
/// Frees all objects of all ranks that nothing keeps, and drops all copies. Other threads stop at
/// their next safe points. Publishes.
/// Errors: FAR_ERROR if a thread comes to no safe point for 30 s.
far_status far_collect(far_space* space);

/// What all collections have done.
typedef struct far_collections {
  uint64_t count;
  uint64_t pause_ns;  ///< of the last one
  uint64_t freed_objects, freed_bytes;
  uint64_t live_objects, live_bytes;  ///< after the last one
} far_collections;
far_status far_space_collections(far_space* space, far_collections* counts);

/// A line of text: the object's home, its protocol and why, who has copies. Valid until the thread's
/// next call. Cost: a message each way.
far_status far_object_explain(far_space* space, far_ref object, const char** text);

#ifdef __cplusplus
}
#endif

#endif
