#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/graph/computation.hpp"
#include "apps/graph/convert.hpp"

namespace far::apps {

/// The output of far-graph.
struct report {
  const computation_list& computations;  ///< that have run
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::string verdict = {};  ///< result of --verify
  std::string output = {};   ///< name of the file that was written
  std::optional<written_file> written = {};
};

[[nodiscard]] std::string as_json(const report& r);
[[nodiscard]] std::string as_text(const report& r);

}  // namespace far::apps
