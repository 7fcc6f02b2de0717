#pragma once
// Use of a ring by messages: the host does the steps of ring.hpp, and replies.
//
// The host works on the same cursors by the same atomics as everyone, so calls and one-sided
// operations may meet on one ring. Nothing at the host waits: it makes each step once, and where
// one would have to be tried again, because a claim of somebody else's is in the way, it replies
// how far it has come. The caller goes on from there, one-sided.

#include <cstddef>
#include <cstdint>

#include "far/containers/queue/ring_user.hpp"

namespace far::containers {

/// What a call took.
struct call_times {
  std::uint64_t answered = 0;  ///< when the host's answer came; what follows is for others' sake
  std::uint64_t host_ns = 0;
};

/// As ring_user's, with the same results; cost: one message each way, unless one-sided operations
/// are under way.
bool push_by_call(ring_user& user, const std::byte* values, std::uint64_t n, call_times& times);
std::uint64_t pop_by_call(ring_user& user, std::byte* values, std::uint64_t n, call_times& times);

}  // namespace far::containers
