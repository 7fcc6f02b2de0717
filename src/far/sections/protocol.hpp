#pragma once
// How a section is moved, and the choice between the ways.

#include <cstdint>
#include <string>
#include <string_view>

#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far {

/// How the bytes of a section or list are moved.
enum class section_protocol : std::uint8_t {
  automatic,    ///< the cheapest of the others by its predicted cost
  direct,       ///< by loads and stores; only where plain instructions reach the memory
  per_segment,  ///< zero-copy: one operation of the fabric for each contiguous segment
  packed,       ///< by messages; the owner's processor unpacks, packs or adds
};

enum class section_operation : std::uint8_t { put, get, accumulate };

namespace sections {

[[nodiscard]] std::string_view name_of(section_protocol what) noexcept;
[[nodiscard]] std::string_view name_of(section_operation what) noexcept;

/// A choice, with what each way was predicted to cost, in ns.
struct choice {
  section_protocol how = section_protocol::direct;
  bool is_reached = false;  ///< by plain instructions
  double direct_ns = 0;
  double per_segment_ns = 0;
  double packed_ns = 0;
};

/// The protocol for a transfer. Where instructions reach the memory it is direct, without a look at
/// costs. Otherwise it is the cheaper of the other two, from the costs of components that the model
/// knows (far::model::costs_of); accumulates are always packed.
/// Cost: elsewhere than on reached memory, a lookup in rank_state.
/// Errors: bad_argument if `wanted` is direct and the memory is not reached.
/// Checked by: sections_protocol_test.follows_shape_and_costs
[[nodiscard]] section_protocol choose(const world& view, section_operation operation,
                                      const plan& what, section_protocol wanted);
/// The same for automatic, with all costs.
[[nodiscard]] choice predict(const world& view, section_operation operation, const plan& what);
/// A few lines of text: the transfer, the cost of each way, which one is chosen, and why.
[[nodiscard]] std::string explain(const world& view, section_operation operation, const plan& what);

}  // namespace sections
}  // namespace far
