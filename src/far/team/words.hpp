#pragma once
// The operations that collectives are built from. Notifications are loose amos: the correctness
// arguments (rendezvous.cpp, link.cpp) need no flush of them, and a barrier between nodes would
// otherwise wait for the answers to the previous barrier's notifications.

#include <cstdint>

#include "far/fabric/context.hpp"
#include "far/fabric/fabric.hpp"

namespace far::detail {

/// An address inside a block.
[[nodiscard]] inline fabric::address place(fabric::address block, std::uint64_t offset) noexcept {
  return block + static_cast<std::int64_t>(offset);
}

inline fabric::amo_request amo_on(fabric::context& context, fabric::address word, fabric::amo_op op,
                                  std::uint64_t operand) {
  fabric::amo_request request;
  request.word = word;
  request.op = op;
  request.operand = operand;
  request.domain =
      context.owner().cpu_atomics(word) ? fabric::amo_domain::cpu : fabric::amo_domain::nic;
  return request;
}

/// Sets a word and wakes its waiter.
inline void tell(fabric::context& context, fabric::address word, std::uint64_t value) {
  fabric::amo_request request = amo_on(context, word, fabric::amo_op::store, value);
  request.wake = true;
  request.loose = true;
  context.amo(request, nullptr);
}

/// Adds to a word and wakes its waiter.
inline void add_remote(fabric::context& context, fabric::address word, std::uint64_t addend = 1) {
  fabric::amo_request request = amo_on(context, word, fabric::amo_op::add, addend);
  request.wake = true;
  request.loose = true;
  context.amo(request, nullptr);
}

/// Performs a fetching amo and returns the old value.
inline std::uint64_t fetch(fabric::context& context, fabric::amo_request request,
                           const char* what) {
  std::uint64_t old = 0;
  request.fetched = &old;
  fabric::completion done;
  context.amo(request, &done);
  context.wait(done, {what, request.word.rank(), request.word});
  return old;
}

}  // namespace far::detail
