#include "far/sync/mcs_queue.hpp"

#include "far/fabric/context.hpp"
#include "far/rma/signal.hpp"

namespace far::sync {
namespace {

ptr<queue_node> node_at(std::uint64_t bits) noexcept {
  return ptr<queue_node>(fabric::address::from_bits(bits));
}

}  // namespace

std::uint64_t own_word::load_remote() const { return word_.load(); }

void own_word::store_remote(std::uint64_t value) const { word_.store(value); }

std::uint64_t own_word::exchange_remote(std::uint64_t value) const { return word_.exchange(value); }

bool own_word::compare_exchange_remote(std::uint64_t expected, std::uint64_t desired) const {
  return word_.compare_exchange(expected, desired);
}

/// Waits in the place behind node `before`.
std::uint64_t mcs_queue::follow(std::uint64_t before, fabric::deadline_ns deadline) const {
  status_.store(node_status::waiting);  // no other thread looks before the next line
  next_of(node_at(before)).waking().store(own_.bits());
  return await_turn(deadline);
}

std::uint64_t mcs_queue::try_enter() const {
  if (status_.load() != node_status::idle) return nothing;  // it has left: the queue is not empty
  next_.store(0);
  if (!tail_.compare_exchange(0, own_.bits())) return nothing;
  status_.store(node_status::given(first));
  return first;
}

/// Whether this thread had left, and is back in its place now.
bool mcs_queue::comes_back() const {
  return status_.compare_exchange(node_status::left, node_status::waiting);
}

/// Waits until this thread's node, which had not left, is in no queue; false at the deadline. Until
/// then the node is being removed, or others of the element use it to hold the element above
/// (lock_tree.hpp).
bool mcs_queue::is_let_go(fabric::deadline_ns deadline) const {
  const auto is_idle = [](std::uint64_t status) { return status == node_status::idle; };
  return wait_signal(world_, status_word(own_), is_idle, deadline).has_value();
}

std::uint64_t mcs_queue::await_turn(fabric::deadline_ns deadline) const {
  const auto turn = wait_signal(world_, status_word(own_), node_status::is_given, deadline);
  if (turn) return node_status::value_of(*turn);
  std::uint64_t seen = node_status::waiting;
  if (status_.ref().compare_exchange(seen, node_status::left)) return nothing;
  return node_status::value_of(seen);  // given just now
}

/// For a node, the last in the queue, that knew no next node: returns the one that has come since,
/// or takes the node off the queue and returns 0.
std::uint64_t mcs_queue::remove_or_next(ptr<queue_node> node) const {
  if (tail_.compare_exchange(node.bits(), 0)) return 0;
  if (node.rank() == world_.rank()) {
    return wait_signal(world_, next_word(node), [](std::uint64_t bits) { return bits != 0; });
  }
  fabric::turn wait;
  for (;;) {
    const std::uint64_t next = next_of(node).load();
    if (next != 0) return next;
    world_.context().await_turn(wait);
  }
}

/// Whether a waiting node is the head now. If its thread has left, lets the node go.
bool mcs_queue::give(ptr<queue_node> node, std::uint64_t value) const {
  const auto status = status_of(node).waking();
  for (;;) {
    std::uint64_t seen = node_status::waiting;
    if (status.compare_exchange(seen, node_status::given(value))) return true;
    if (status.compare_exchange(seen, node_status::leaving)) return false;
  }
}

bool mcs_queue::pass_on(ptr<queue_node> head, std::uint64_t next, std::uint64_t value) const {
  return pass_on(head, next, value, [value] { return value; });
}

bool mcs_queue::pass_on(ptr<queue_node> head, std::uint64_t next, std::uint64_t value,
                        base::function_ref<std::uint64_t()> before_end) const {
  bool at_end = false;
  for (ptr<queue_node> node = head;; next = next_after(node)) {
    if (next == 0) {
      if (!at_end) value = before_end();
      at_end = true;
      next = remove_or_next(node);
    }
    if (node != head) status_of(node).waking().store(node_status::idle);
    if (next == 0) break;
    node = node_at(next);
    if (give(node, value)) break;
  }
  let_go(head);
  return next != 0;
}

}  // namespace far::sync
