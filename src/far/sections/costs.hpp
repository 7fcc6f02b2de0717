#pragma once
// What each protocol is predicted to cost, from the costs that the model knows.

#include <cstdint>
#include <limits>

#include "far/sections/plan.hpp"
#include "far/sections/protocol.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// Predicted times of a transfer, in ns.
struct protocol_costs {
  static constexpr double impossible = std::numeric_limits<double>::infinity();

  double direct = 0;
  double per_segment = 0;
  double packed = 0;
  double pipelined = 0;
  double host_assisted = 0;  ///< impossible where the local side of a get is not in the segments
  double registering = 0;    ///< of the local side, which is in per_segment and host_assisted
  std::uint64_t slice = 0;   ///< bytes of a slice of a pipeline
  std::uint64_t segments_of_request = 0;  ///< host-assisted
  bool is_one_message = false;            ///< packed

  [[nodiscard]] double of(section_protocol how) const noexcept;
};

/// Cost: two lookups in rank_state; where registering takes time, one in the table of regions.
[[nodiscard]] protocol_costs costs_of(const world& world, section_operation operation,
                                      const plan& what);
/// The best slice of a pipeline: small ones begin to travel early, large ones have fewer messages.
[[nodiscard]] std::uint64_t slice_of_pipeline(const world& world, section_operation operation,
                                              const plan& what);

}  // namespace far::sections
