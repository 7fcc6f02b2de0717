#pragma once

#include <string_view>

#include "far/base/function_ref.hpp"
#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

/// Says what a rank waits for, as its contexts told in shared memory: one line (without its end)
/// for each waiting context, or one that says that the rank computes, or is not there.
/// It neither allocates nor locks, so that signal handlers may call it.
void report_waits(const region& job, int rank, base::function_ref<void(std::string_view)> line);

}  // namespace far::fabric::shm
