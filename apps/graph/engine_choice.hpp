#pragma once
// Which engine runs a vertex program: chosen when far-graph starts, so programs are compiled for
// each.

#include <utility>

#include "far/graph/ways.hpp"

namespace far::apps {

enum class engine_kind {
  exchange,  ///< far::by_exchange
  array,     ///< far::by_array
};

struct engine_choice {
  engine_kind kind = engine_kind::exchange;
  cached_array_options array = {};  ///< of by_array
};

/// run(way) with the way that was chosen.
template <class Run>
auto run_chosen(const engine_choice& choice, Run&& run) {
  if (choice.kind == engine_kind::array) return run(by_array{choice.array});
  return run(by_exchange{});
}

}  // namespace far::apps
