#include "far/sections/accumulate_lock.hpp"

#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/sections/accumulate_queue.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/mcs_queue.hpp"

namespace far::sections {
namespace {

/// This rank's nodes for the lines of all ranks: one for each context, because a thread waits for
/// one lock at a time. Their memory goes away with the job.
class line_nodes {
 public:
  explicit line_nodes(rank_state& state)
      : nodes_(allocate_local<sync::queue_node>(
            state, static_cast<std::uint64_t>(state.fabric().max_contexts()))) {}

  [[nodiscard]] ptr<sync::queue_node> of(const world& view) const {
    return nodes_ + view.context().index();
  }

 private:
  ptr<sync::queue_node> nodes_;
};

}  // namespace

bool accumulate_lock::try_lock() {
  std::uint64_t seen = 0;
  return word_.compare_exchange(seen, name());
}

void accumulate_lock::lock() {
  if (!try_lock()) stand_in_line();
}

void accumulate_lock::stand_in_line() {
  word_.add(one_in_line);
  const sync::mcs_queue line(view_, words_.line, view_.state().get<line_nodes>().of(view_));
  (void)line.enter(fabric::never);
  fabric::turn wait;
  for (std::uint64_t seen = word_.load();; seen = word_.load()) {
    const bool is_free = holder_of(seen) == 0 && (seen & lane_bit) == 0;
    if (is_free && word_.compare_exchange(seen, seen - one_in_line + name())) break;
    view_.context().await_turn(wait);
  }
  (void)line.pass(line.own(), sync::mcs_queue::first);
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
