#pragma once

#include <cstdint>

namespace far::apps {

/// About how many bytes more this machine's programs can use before it swaps or ends some: what the
/// kernel calls available, or the limit of the control group, if that is less. Where neither is
/// known, the largest number.
[[nodiscard]] std::uint64_t free_memory();

}  // namespace far::apps
