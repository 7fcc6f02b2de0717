// Maps of bytes.

#include "far/c/map.h"

#include <string>
#include <utility>
#include <vector>

#include "bindings/c/session.hpp"
#include "bindings/c/status.hpp"

struct far_map : far::c::structure {
  explicit far_map(const far::world& world) : it(world) {}
  far::hash_map<std::string, std::string> it;
};

namespace far::c {
namespace {

/// A view for the calling thread.
auto map_here(far_map* map) {
  check_not_null(map, "far_map: the map");
  return map->it.on(lane_here().world());
}

std::string bytes_of(const void* bytes, std::size_t count, const char* what) {
  if (count == 0) return {};
  check_not_null(bytes, what);
  return {static_cast<const char*>(bytes), count};
}

void tell(int* result, bool value) {
  if (result != nullptr) *result = value ? 1 : 0;
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_map_create(far_map** map) {
  return guarded([&] {
    check_not_null(map, "far_map_create: the result");
    *map = make_structure<far_map>([](far::world& all) { return std::make_unique<far_map>(all); });
  });
}

far_status far_map_destroy(far_map* map) {
  return guarded([&] { drop_structure(map); });
}

far_status far_map_put(far_map* map, const void* key, size_t key_bytes, const void* value,
                       size_t value_bytes, int* added) {
  return guarded([&] {
    tell(added,
         map_here(map).insert_or_assign(bytes_of(key, key_bytes, "far_map_put: the key"),
                                        bytes_of(value, value_bytes, "far_map_put: the value")));
  });
}

far_status far_map_put_new(far_map* map, const void* key, size_t key_bytes, const void* value,
                           size_t value_bytes, int* added) {
  return guarded([&] {
    tell(added, map_here(map).insert(bytes_of(key, key_bytes, "far_map_put_new: the key"),
                                     bytes_of(value, value_bytes, "far_map_put_new: the value")));
  });
}

far_status far_map_get(far_map* map, const void* key, size_t key_bytes, const void** value,
                       size_t* value_bytes) {
  return guarded([&] {
    check_not_null(value, "far_map_get: the result");
    check_not_null(value_bytes, "far_map_get: the result's length");
    auto found = map_here(map).find(bytes_of(key, key_bytes, "far_map_get: the key"));
    *value = nullptr;
    *value_bytes = 0;
    if (!found) return;
    std::string& result = lane_here().result;
    result = std::move(*found);
    *value = result.data();
    *value_bytes = result.size();
  });
}

far_status far_map_remove(far_map* map, const void* key, size_t key_bytes, int* removed) {
  return guarded([&] {
    tell(removed, map_here(map).erase(bytes_of(key, key_bytes, "far_map_remove: the key")));
  });
}

far_status far_map_size(far_map* map, uint64_t* keys) {
  return guarded([&] {
    check_not_null(map, "far_map_size: the map");
    check_not_null(keys, "far_map_size: the result");
    session_here().collective(lane_here(), [&](far::world&) { *keys = map->it.size(); });
  });
}

far_status far_map_clear(far_map* map) {
  return guarded([&] {
    check_not_null(map, "far_map_clear: the map");
    session_here().collective(lane_here(), [&](far::world&) { map->it.clear(); });
  });
}

far_status far_map_visit_local(far_map* map, far_map_visitor* visitor, void* context) {
  return guarded([&] {
    if (visitor == nullptr) throw far::bad_argument("far_map_visit_local: no visitor");
    std::vector<std::pair<std::string, std::string>> items;
    map_here(map).for_each_local(
        [&](const std::string& key, const std::string& value) { items.emplace_back(key, value); });
    for (const auto& [key, value] : items) {
      if (visitor(context, key.data(), key.size(), value.data(), value.size()) != 0) return;
    }
  });
}
}
