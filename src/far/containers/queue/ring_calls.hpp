#pragma once
// Use of a ring by messages: the host does the steps of ring.hpp, and replies.
//
// The host works on the same cursors with the same atomics as other ranks, so calls and one-sided
// operations may mix on one ring. Nothing at the host waits: it makes each step once. If a step
// would have to be retried, because another rank's claim is in the way, it replies how far it has
// come, and the caller continues from there, one-sided.

#include <cstddef>
#include <cstdint>

#include "far/containers/queue/ring_user.hpp"

namespace far::containers {

/// Times of a call.
struct call_times {
  std::uint64_t answered = 0;  ///< when the host's answer came; later steps are for other ranks
  std::uint64_t host_ns = 0;
};

/// As ring_user's, with the same results. Cost: one message each way, unless one-sided operations
/// are in flight.
bool push_by_call(ring_user& user, const std::byte* values, std::uint64_t n, call_times& times);
std::uint64_t pop_by_call(ring_user& user, std::byte* values, std::uint64_t n, call_times& times);

}  // namespace far::containers
