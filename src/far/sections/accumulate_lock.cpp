#include "far/sections/accumulate_lock.hpp"

#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/sections/accumulate_queue.hpp"
#include "far/sync/line.hpp"
#include "far/sync/lock_use.hpp"

namespace far::sections {

bool accumulate_lock::try_lock() {
  std::uint64_t seen = 0;
  return word_.compare_exchange(seen, name());
}

void accumulate_lock::lock() {
  if (!try_lock()) stand_in_line();
}

void accumulate_lock::stand_in_line() {
  word_.add(one_in_line);
  const sync::line line(world_, words_.line);
  line.enter();
  fabric::turn wait;
  for (std::uint64_t seen = word_.load();; seen = word_.load()) {
    const bool is_free = holder_of(seen) == 0 && (seen & lane_bit) == 0;
    if (is_free && word_.compare_exchange(seen, seen - one_in_line + name())) break;
    world_.context().await_turn(wait);
  }
  line.leave();
}

void accumulate_lock::announce(fabric::address first, std::uint64_t bytes) {
  put(world_, words_.first, first.bits());
  put(world_, words_.bytes, bytes);
}

void accumulate_lock::unlock() {
  sync::release_lock(world_, [&] {
    const std::uint64_t old = word_.fetch_add(0 - name());
    if ((old & lane_bit) != 0) rpc_oneway<accumulate_queue::granted>(world_, words_.lock.rank());
  });
}

}  // namespace far::sections
