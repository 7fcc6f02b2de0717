#pragma once
// The locks of a rank's own elements: a reader-writer lock for each element that is locked or
// waited for, first come, first served. Locks of other elements take no memory.

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "far/fabric/message.hpp"

namespace far::cached {

enum class lock_request : std::uint8_t { exclusive, shared, try_exclusive, try_shared };

/// An answer to send: whether the requester has the lock.
struct lock_answer {
  fabric::reply_token token;
  bool granted = false;
};

/// Threads: the caller holds part::mutex.
class element_locks {
 public:
  /// Answers now, or when it is the requester's turn; tries are answered now.
  void request(std::vector<lock_answer>& answers, std::uint64_t index, lock_request what,
               const fabric::reply_token& token);
  /// Releases a lock. False if nobody holds it in this way.
  bool release(std::vector<lock_answer>& answers, std::uint64_t index, bool shared);

 private:
  struct waiter {
    fabric::reply_token token;
    bool shared;
  };
  struct element {
    int readers = 0;
    bool writer = false;
    std::deque<waiter> waiters;
  };
  static bool acquire(element& e, bool shared) noexcept;

  std::unordered_map<std::uint64_t, element> elements_;
};

}  // namespace far::cached
