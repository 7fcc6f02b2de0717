#pragma once

#include <nlohmann/json.hpp>

namespace far::tools {

/// The machine as hwloc sees it: processor, packages, numa_nodes, cores, threads,
/// threads_allowed (to this process), caches: [{name, count, bytes}].
nlohmann::ordered_json machine_topology();

}  // namespace far::tools
