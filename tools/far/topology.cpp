#include "tools/far/topology.hpp"

#include <memory>
#include <string>

#include <hwloc.h>

#include "far/base/error.hpp"

namespace far::tools {
namespace {

struct topology_deleter {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using topology_ptr = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, topology_deleter>;

topology_ptr load() {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw error("hwloc cannot be initialized");
  topology_ptr topology(made);
  // Include the parts of the machine that this process may not use.
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(made) != 0) throw error("hwloc cannot read the machine's topology");
  return topology;
}

int allowed_threads(hwloc_topology_t topology) {
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  const bool bound = hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0;
  if (!bound) hwloc_bitmap_copy(set, hwloc_topology_get_allowed_cpuset(topology));
  const int count = hwloc_bitmap_weight(set);
  hwloc_bitmap_free(set);
  return count;
}

nlohmann::ordered_json caches(hwloc_topology_t topology) {
  struct level {
    hwloc_obj_type_t type;
    const char* name;
  };
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const level& cache : {level{HWLOC_OBJ_L1CACHE, "L1d"}, level{HWLOC_OBJ_L2CACHE, "L2"},
                             level{HWLOC_OBJ_L3CACHE, "L3"}}) {
    const int count = hwloc_get_nbobjs_by_type(topology, cache.type);
    if (count < 1) continue;
    const hwloc_obj_t first = hwloc_get_obj_by_type(topology, cache.type, 0);
    result.push_back({{"name", cache.name}, {"count", count}, {"bytes", first->attr->cache.size}});
  }
  return result;
}

}  // namespace

nlohmann::ordered_json machine_topology() {
  const topology_ptr topology = load();
  const auto count = [&](hwloc_obj_type_t type) {
    return hwloc_get_nbobjs_by_type(topology.get(), type);
  };
  const char* processor = nullptr;
  if (const hwloc_obj_t package = hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_PACKAGE, 0)) {
    processor = hwloc_obj_get_info_by_name(package, "CPUModel");
  }
  return {{"processor", processor == nullptr ? "unknown" : processor},
          {"packages", count(HWLOC_OBJ_PACKAGE)},
          {"numa_nodes", count(HWLOC_OBJ_NUMANODE)},
          {"cores", count(HWLOC_OBJ_CORE)},
          {"threads", count(HWLOC_OBJ_PU)},
          {"threads_allowed", allowed_threads(topology.get())},
          {"caches", caches(topology.get())}};
}

}  // namespace far::tools
