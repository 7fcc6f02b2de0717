#pragma once
// How a section is moved, and the choice between the ways.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far {

/// How the bytes of a section or list are moved.
enum class section_protocol : std::uint8_t {
  automatic,      ///< the cheapest of the others by its predicted cost
  direct,         ///< by loads and stores; only where plain instructions reach the memory
  per_segment,    ///< zero-copy: one operation of the fabric for each contiguous segment
  packed,         ///< through a buffer; the owner's processor unpacks, packs or adds
  pipelined,      ///< the same in smaller slices, several of which are under way
  host_assisted,  ///< zero-copy: a helper at the owner starts transfers of up to 60 segments each
};
inline constexpr std::size_t section_protocols = 6;

enum class section_operation : std::uint8_t { put, get, accumulate };

namespace sections {

[[nodiscard]] std::string_view name_of(section_protocol what) noexcept;
[[nodiscard]] std::string_view name_of(section_operation what) noexcept;

/// The protocol for a transfer. Where instructions reach the memory it is direct, without a look at
/// costs. Otherwise it is the cheapest of the others (costs.hpp); for an accumulate packed or
/// pipelined. Of those that were wanted, host-assisted becomes pipelined for a get into memory that
/// is in no segment, to which the helper cannot write, and for accumulates.
/// Cost: elsewhere than on reached memory, lookups in rank_state.
/// Errors: bad_argument if `wanted` is direct and the memory is not reached.
/// Checked by: sections_protocol_test.follows_shape_and_costs
[[nodiscard]] section_protocol choose(const world& world, section_operation operation,
                                      const plan& what, section_protocol wanted);
/// A few lines of text: the transfer, the cost of each way, which one is chosen, and why.
[[nodiscard]] std::string explain(const world& world, section_operation operation,
                                  const plan& what);
/// The same for the plans of a list, one for each rank.
[[nodiscard]] std::string explain(const world& world, section_operation operation,
                                  const std::vector<plan>& what);

}  // namespace sections
}  // namespace far
