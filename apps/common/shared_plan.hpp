#pragma once
// How the ranks of a job divide files among themselves.

#include <string>
#include <vector>

#include "apps/common/byte_range.hpp"
#include "apps/common/input_file.hpp"
#include "far/far.hpp"

namespace far::apps {

/// The part of every file that this rank reads.
[[nodiscard]] file_part part_of(const world& world);

/// Collective: rank 0 plans the files and broadcasts the plans, in the order of the paths.
/// `read_twice`: the caller will read the files a second time.
/// Errors: on rank 0, those of plan_input, and input_error for a stream that is to be read twice.
[[nodiscard]] std::vector<input_plan> plan_together(const world& world,
                                                    const std::vector<std::string>& paths,
                                                    bool read_twice);

}  // namespace far::apps
