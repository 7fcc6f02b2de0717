// A thread's side of inflated monitors.

#include "far/object/monitor/inflated_monitor.hpp"

#include <optional>
#include <utility>

#include "far/memory/allocate.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/signal.hpp"

namespace far::objects {
namespace {

// The words of a node in the list of those who wait to be notified.
constexpr int next = 0;
constexpr int status = 1;
constexpr int before = 2;

// Values of a status.
constexpr std::uint64_t waits = 1;
constexpr std::uint64_t notified = 2;

ptr<std::uint64_t> word_of(ptr<sync::queue_node> node, int index) noexcept {
  return reinterpret_pointer_cast<std::uint64_t>(node) + index;
}

/// The list of an inflated monitor that this thread is in.
class waiter_list {
 public:
  waiter_list(const world& world, inflated_words of) noexcept : world_(&world), of_(of) {}

  void add(ptr<sync::queue_node> node) const {
    const std::uint64_t end = at(of_.last()).load();
    at(word_of(node, next)).store(0);
    at(word_of(node, before)).store(end);
    at(word_of(node, status)).store(waits);
    (end == 0 ? at(of_.first()) : at(end, next)).store(node.bits());
    at(of_.last()).store(node.bits());
  }
  void remove(ptr<sync::queue_node> node) const {
    const std::uint64_t after = at(word_of(node, next)).load();
    const std::uint64_t ahead = at(word_of(node, before)).load();
    (ahead == 0 ? at(of_.first()) : at(ahead, next)).store(after);
    (after == 0 ? at(of_.last()) : at(after, before)).store(ahead);
  }
  /// The first `count`, or all.
  void notify(std::uint32_t count) const {
    if (count == 0) return;
    std::uint64_t node = at(of_.first()).load();
    if (node == 0) return;
    for (; node != 0 && count > 0; --count) {
      const std::uint64_t after = at(node, next).load();
      at(node, status).waking().store(notified);  // from here on the node is its thread's
      node = after;
    }
    at(of_.first()).store(node);
    (node == 0 ? at(of_.last()) : at(node, before)).store(0);
  }
  [[nodiscard]] bool is_notified(ptr<sync::queue_node> node) const {
    return at(word_of(node, status)).load() == notified;
  }

 private:
  [[nodiscard]] atomic_ref<std::uint64_t> at(ptr<std::uint64_t> word) const noexcept {
    return {*world_, word};
  }
  [[nodiscard]] atomic_ref<std::uint64_t> at(std::uint64_t node, int index) const noexcept {
    return at(word_of(ptr<sync::queue_node>::from_bits(node), index));
  }

  const world* world_;
  inflated_words of_;
};

}  // namespace

/// A node that is in no queue. Errors: out_of_memory.
ptr<sync::queue_node> thread_access::take_node() {
  if (me_->nodes.empty()) {
    const auto made = allocate_local<sync::queue_node>(world_);
    *static_cast<sync::queue_node*>(static_cast<void*>(world_.fabric().local(made.address()))) = {};
    me_->nodes.push_back(made);
  }
  const auto taken = me_->nodes.back();
  me_->nodes.pop_back();
  return taken;
}

inflated_words thread_access::inflated_at(place at, std::uint16_t number) const noexcept {
  return inflated_words(part_->inflated.on(at.rank()) + number);
}

/// The number of an object's inflated monitor, if it has one. `data`: the object's.
std::optional<std::uint16_t> thread_access::find_inflated(place at, std::byte* data) {
  if (me_->inflated.place == at.bits()) return me_->inflated.number;
  if (data == nullptr) return {};
  const auto number = monitor_word(data).inflated();
  if (number) me_->inflated = {at.bits(), *number};
  return number;
}

held_monitor thread_access::enter_inflated(place at, std::uint16_t number) {
  const inflated_words words = inflated_at(at, number);
  const auto node = take_node();
  const sync::mcs_queue queue(world_, words.tail(), node);
  const bool is_free = atomic_ref<std::uint64_t>(world_, words.tail()).load() == 0;
  if (!is_free || queue.try_enter() == sync::mcs_queue::nothing) {
    me_->enters = at.bits();
    enter_safe_region();
    (void)queue.enter(fabric::never);
    leave_safe_region();
    me_->enters = 0;
  }
  return {.place = at.bits(), .node = node, .number = number};
}

std::optional<held_monitor> thread_access::try_enter_inflated(place at, std::uint16_t number) {
  const auto node = take_node();
  const sync::mcs_queue queue(world_, inflated_at(at, number).tail(), node);
  if (queue.try_enter() == sync::mcs_queue::nothing) {
    me_->nodes.push_back(node);
    return {};
  }
  return held_monitor{.place = at.bits(), .node = node, .number = number};
}

/// Passes a monitor on that has been inflated.
void thread_access::pass_inflated(const held_monitor& m, std::uint16_t number) {
  const inflated_words words = inflated_at(place(m.place), number);
  waiter_list(world_, words).notify(m.notified);
  const auto node = m.node ? m.node : words.holder();
  (void)sync::mcs_queue(world_, words.tail(), node).pass(node, sync::mcs_queue::first);
  if (m.node) me_->nodes.push_back(m.node);
}

/// Leaves a monitor, waits until it is notified or the deadline, and enters again. `again` becomes
/// what it then holds. False if the deadline has passed first.
bool thread_access::wait_inflated(const held_monitor& m, std::uint16_t number,
                                  fabric::deadline_ns deadline,
                                  const std::atomic<bool>* interrupted, held_monitor& again) {
  const place at(m.place);
  const waiter_list list(world_, inflated_at(at, number));
  const auto node = take_node();
  list.notify(m.notified);
  list.add(node);
  me_->enters = at.bits();
  pass_inflated({.place = m.place, .node = m.node, .number = number}, number);
  enter_safe_region();
  const fabric::address told_by = word_of(node, status).address();
  const auto is_over = [&] {
    return world_.context().peek(told_by) == notified ||
           (interrupted != nullptr && interrupted->load());
  };
  (void)world_.context().wait(is_over, deadline, {"a monitor", at.rank(), told_by});
  const auto entered = take_node();
  (void)sync::mcs_queue(world_, inflated_at(at, number).tail(), entered).enter(fabric::never);
  const bool told = list.is_notified(node);
  if (!told) list.remove(node);
  atomic_ref<std::uint64_t>(world_, word_of(node, status)).store(sync::node_status::idle);
  me_->nodes.push_back(node);
  leave_safe_region();
  me_->enters = 0;
  again = {.place = m.place, .depth = m.depth, .node = entered, .number = number};
  return told;
}

}  // namespace far::objects
