#pragma once

#include <cstdint>

namespace far::apps {

/// Approximate bytes that programs can still allocate before this machine swaps or kills some: the
/// kernel's MemAvailable, or the control group's limit if that is less. If neither is known, the
/// largest number.
[[nodiscard]] std::uint64_t free_memory();

}  // namespace far::apps
