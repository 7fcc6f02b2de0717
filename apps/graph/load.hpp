#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/graph/reader_types.hpp"
#include "far/far.hpp"

namespace far::apps {

/// The part of a file that one rank has read.
struct loaded_part {
  std::vector<edge> edges;
  std::unordered_map<std::int64_t, std::string> names;  ///< found in this part of the file
  std::optional<matrix_header> matrix;                  ///< the same on every rank
};

/// Collective: every rank reads its part; rank 0 shows progress on a terminal. `read_twice`: the
/// caller will read the file a second time.
/// Errors: input_error on the rank that reads the faulty part, which ends the job; also for a
/// matrix with more vertices than fit in the machine's memory.
loaded_part load_graph(world& world, const std::string& path, bool read_twice = false);

}  // namespace far::apps
