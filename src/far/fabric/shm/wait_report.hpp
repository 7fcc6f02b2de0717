#pragma once

#include <string_view>

#include "far/base/function_ref.hpp"
#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

/// Reports what a rank waits for, from what its contexts wrote to shared memory. Calls `line` with
/// one line (without its end) for each waiting context, or with one that says that the rank
/// computes or is not in the job. It neither allocates nor locks, so signal handlers may call it.
void report_waits(const region& job, int rank, base::function_ref<void(std::string_view)> line);

}  // namespace far::fabric::shm
