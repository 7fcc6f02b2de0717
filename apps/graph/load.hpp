#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/graph/reader_types.hpp"
#include "far/far.hpp"

namespace far::apps {

/// What one rank has read of a file.
struct loaded_part {
  std::vector<edge> edges;
  std::unordered_map<std::int64_t, std::string> names;  ///< that this part of the file gives
  std::optional<matrix_header> matrix;                  ///< the same on every rank
};

/// Collective: every rank reads its part; rank 0 shows progress on a terminal. `read_twice`: the
/// caller will read the file once more.
/// Errors: input_error, on the rank whose part it is, and the job then ends; so for a matrix of
/// more vertices than the machine has memory for.
loaded_part load_graph(world& world, const std::string& path, bool read_twice = false);

}  // namespace far::apps
