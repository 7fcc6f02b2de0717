// Objects: making, reading and writing them, and what keeps them.

#include "far/c/objects.h"

#include <cstddef>
#include <string>

#include "bindings/c/space.hpp"

namespace far::c {
namespace {

using objects::place;

place place_of(far_ref object) { return place(object); }

/// Sets a pointer to elements of an array.
template <class Pointer>
far_status find_elements(far_space* space, far_ref array, const far_type* type, std::uint64_t i,
                         Pointer* first, std::uint64_t* count, bool writes) {
  return guarded([&] {
    check_not_null(first, "far_array: the result");
    check_not_null(count, "far_array: the count");
    const auto found =
        space_here(space).elements_from(place_of(array), i, descriptor_of(type), writes);
    *first = found.first;
    *count = found.count;
  });
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_object_make(far_space* space, const far_type* type, far_ref* made) {
  return guarded([&] {
    check_not_null(made, "far_object_make: the result");
    *made = space_here(space).make(descriptor_of(type), 1, false).bits();
  });
}

far_status far_array_make(far_space* space, const far_type* type, uint64_t count, far_ref* made) {
  return guarded([&] {
    check_not_null(made, "far_array_make: the result");
    *made = space_here(space).make(descriptor_of(type), count, true).bits();
  });
}

far_status far_object_type(far_space* space, far_ref object, const far_type* guess,
                           const far_type** type) {
  return guarded([&] {
    check_not_null(type, "far_object_type: the result");
    const auto* const guessed = guess == nullptr ? nullptr : &descriptor_of(guess);
    *type = handle_of(space_here(space).type_of(place_of(object), guessed));
  });
}

far_status far_object_read(far_space* space, far_ref object, const far_type* type,
                           const void** data) {
  return guarded([&] {
    check_not_null(data, "far_object_read: the result");
    auto& view = space_here(space);
    const std::byte* found = view.readable(place_of(object));
    if (found == nullptr) found = view.get_readable(place_of(object), descriptor_of(type));
    *data = found;
  });
}

far_status far_object_write(far_space* space, far_ref object, const far_type* type, void** data) {
  return guarded([&] {
    check_not_null(data, "far_object_write: the result");
    auto& view = space_here(space);
    std::byte* found = view.writable(place_of(object));
    if (found == nullptr) found = view.get_writable(place_of(object), descriptor_of(type));
    *data = found;
  });
}

const void* far_object_try_read(far_space* space, far_ref object) {
  const void* found = nullptr;
  const far_status status = guarded([&] { found = space_here(space).readable(place_of(object)); });
  return status == FAR_OK ? found : nullptr;
}

void* far_object_try_write(far_space* space, far_ref object) {
  void* found = nullptr;
  const far_status status = guarded([&] { found = space_here(space).writable(place_of(object)); });
  return status == FAR_OK ? found : nullptr;
}

far_status far_array_read(far_space* space, far_ref array, const far_type* type, uint64_t i,
                          const void** first, uint64_t* count) {
  return find_elements(space, array, type, i, first, count, false);
}

far_status far_array_write(far_space* space, far_ref array, const far_type* type, uint64_t i,
                           void** first, uint64_t* count) {
  return find_elements(space, array, type, i, first, count, true);
}

far_status far_array_length(far_space* space, far_ref array, const far_type* type,
                            uint64_t* length) {
  return guarded([&] {
    check_not_null(length, "far_array_length: the result");
    *length = space_here(space).length(place_of(array), descriptor_of(type));
  });
}

int far_ref_rank(far_ref object) { return place_of(object).rank(); }

far_status far_root_set(far_space* space, const char* name, far_ref object, const far_type* type) {
  return guarded([&] {
    check_not_null(name, "far_root_set: the name");
    space_here(space).set_root(name, place_of(object), descriptor_of(type));
  });
}

far_status far_root_get(far_space* space, const char* name, far_ref* object) {
  return guarded([&] {
    check_not_null(name, "far_root_get: the name");
    check_not_null(object, "far_root_get: the result");
    *object = space_here(space).root(name).bits();
  });
}

far_status far_object_keep(far_space* space, far_ref object) {
  return guarded([&] {
    (void)space_here(space);  // attached, and so the object is still there
    if (object == 0) throw far::bad_argument("far_object_keep: a null reference");
    space->part->keep(place_of(object));
  });
}

far_status far_object_release(far_space* space, far_ref object) {
  return guarded([&] {
    check_not_null(space, "far_object_release: the space");
    space->part->release(place_of(object));
  });
}

far_status far_publish(far_space* space) {
  return guarded([&] { space_here(space).publish(); });
}

far_status far_refresh(far_space* space) {
  return guarded([&] { space_here(space).refresh(); });
}

far_status far_safe_point(far_space* space) {
  return guarded([&] { space_here(space).safe_point(); });
}

far_status far_collect(far_space* space) {
  return guarded([&] {
    auto& view = space_here(space);
    lane_here().outside([&] { view.collect(); }, &view);
  });
}

far_status far_space_collections(far_space* space, far_collections* counts) {
  return guarded([&] {
    check_not_null(counts, "far_space_collections: the result");
    const far::collection_counts all = space_here(space).collections();
    *counts = {all.count,       all.pause_ns,     all.freed_objects,
               all.freed_bytes, all.live_objects, all.live_bytes};
  });
}

far_status far_object_explain(far_space* space, far_ref object, const char** text) {
  return guarded([&] {
    check_not_null(text, "far_object_explain: the result");
    std::string& result = lane_here().result;
    result = space_here(space).explain(place_of(object));
    *text = result.c_str();
  });
}
}
