#include "far/sections/accumulate_lock.hpp"

#include <algorithm>

#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/sections/accumulate_queue.hpp"
#include "far/sync/lock_use.hpp"

namespace far::sections {

bool accumulate_lock::try_lock() {
  std::uint64_t seen = 0;
  return word_.compare_exchange(seen, name());
}

void accumulate_lock::lock() {
  constexpr std::uint32_t longest = 8;  // the lock is never held for long
  fabric::backoff patience;
  while (!try_lock()) {
    view_.context().pause(patience);
    patience.attempts = std::min(patience.attempts, longest);
  }
}

void accumulate_lock::announce(fabric::address first, std::uint64_t bytes) {
  put(view_, words_.first, first.bits());
  put(view_, words_.bytes, bytes);
}

void accumulate_lock::unlock() {
  sync::release_lock(view_, [&] {
    const std::uint64_t old = word_.fetch_add(0 - name());
    if ((old & lane_bit) != 0) rpc_oneway<accumulate_queue::granted>(view_, words_.lock.rank());
  });
}

}  // namespace far::sections
