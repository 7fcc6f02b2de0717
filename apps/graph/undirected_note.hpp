#pragma once

#include <string>

#include "apps/common/output.hpp"

namespace far::apps {

/// The line with which computations on the undirected graph say that directions were ignored; empty
/// if there were none.
[[nodiscard]] inline std::string undirected_note(bool directed) {
  if (!directed) return {};
  return summary_line("directions", "ignored: edges are taken as undirected");
}

}  // namespace far::apps
