#pragma once
// What a step of the protocol has to send. Steps run under the part's mutex and only note it; flush
// sends it afterwards, without the mutex.

#include <cstdint>
#include <vector>

#include "far/fabric/message.hpp"

namespace far::objects {

struct part;

/// To a rank that has a copy which it may keep over synchronization: it may no longer.
struct revocation {
  int rank = 0;
  std::uint64_t offset = 0;
};

/// A reply that was held back. `bytes`: a verdict for each region, or the answer of a monitor.
struct held_reply {
  fabric::reply_token token;
  std::vector<std::byte> bytes;
};

struct outbox {
  std::vector<revocation> revocations;
  std::vector<held_reply> replies;
  bool wakes = false;  ///< threads of this rank that wait for a change of the part

  [[nodiscard]] bool is_empty() const noexcept {
    return revocations.empty() && replies.empty() && !wakes;
  }
  /// Sends everything. On a thread's context this may wait for credit; on a lane's it never waits.
  void flush(part& of, fabric::context& context);
};

}  // namespace far::objects
