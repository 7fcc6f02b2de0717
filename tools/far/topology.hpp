#pragma once

#include <nlohmann/json.hpp>

namespace far::tools {

/// The machine's topology from hwloc: processor, packages, numa_nodes, cores, threads,
/// threads_allowed (for this process), caches: [{name, count, bytes}].
nlohmann::ordered_json machine_topology();

}  // namespace far::tools
