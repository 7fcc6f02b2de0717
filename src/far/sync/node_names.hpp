#pragma once
// What the head of an element's queue passes on, in the 63 bits of a node's value.

#include <bit>
#include <cstdint>

#include "far/fabric/address.hpp"
#include "far/memory/ptr.hpp"
#include "far/sync/mcs_queue.hpp"

namespace far::sync {

/// Names of the nodes of a job, with a count of how often the node has been passed on.
///
///     62                        0
///     [ passes ][ rank ][ place ]
///
/// The rank takes as many bits as the job needs, and the count takes the others: 24 together. A
/// name is never 0, because a place is never 0.
class node_names {
 public:
  explicit constexpr node_names(int ranks) noexcept
      : node_bits_(place_bits +
                   static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)))) {}

  /// The largest count: 16383 in a job of 1024 ranks, 15 in one of 2^20.
  [[nodiscard]] constexpr std::uint64_t max_passes() const noexcept {
    return (std::uint64_t{1} << (63 - node_bits_)) - 1;
  }

  [[nodiscard]] constexpr std::uint64_t name(ptr<queue_node> node,
                                             std::uint64_t passes) const noexcept {
    return passes << node_bits_ | node.bits() >> zero_bits;
  }
  [[nodiscard]] constexpr ptr<queue_node> node(std::uint64_t name) const noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << node_bits_) - 1;
    return ptr<queue_node>::from_bits((name & mask) << zero_bits);
  }
  [[nodiscard]] constexpr std::uint64_t passes(std::uint64_t name) const noexcept {
    return name >> node_bits_;
  }

 private:
  // In a node's address the rank is in front of the place, and the last bits are zero.
  static constexpr int zero_bits = std::countr_zero(alignof(queue_node));
  static constexpr int place_bits =
      fabric::address::segment_bits + fabric::address::offset_bits - zero_bits;

  int node_bits_;
};

}  // namespace far::sync
